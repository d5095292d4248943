# `cpack` in the build folder makes a Debian package.
#
# One package instead of Debian's usual three: the library is useless without its models and OpenVINO, and both are
# larger than everything else.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The faceverify maintainers <maintainers@faceverify.invalid>" CACHE STRING
  "Who answers for the package")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION
"A selfie and a document portrait go in; a decision comes out, with its score,
the false-match rate that this very score stands for, and what is wrong with a
photo that is not good enough.
.
This package has the command faceverify, the library libfaceverify with its C
header, the models, and the parts of OpenVINO that run them.")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${FACEVERIFY_DEPENDENCIES}/openvino/lib)
# Loaded for HEIC and AVIF pictures; everything else works without it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libheif1)
# `faceverify models install` runs models/fetch.py; ffmpeg decodes video; two servers share PostgreSQL; pcscd
# has the smart card readers.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, ffmpeg, libpq5, libpcsclite1, pcscd")

# Written here, because cpack would also list OpenVINO's libraries for other packages.
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs
  "libfaceverify ${PROJECT_VERSION_MAJOR} faceverify (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers
  ${PROJECT_SOURCE_DIR}/cmake/postinst ${PROJECT_SOURCE_DIR}/cmake/prerm ${PROJECT_SOURCE_DIR}/cmake/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)

include(CPack)
