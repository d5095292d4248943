// Empty: this module only carries the pkg-config file faceverify-deps.pc to the C and C++ targets.
