# `cpack` in the build folder makes a Debian package.
#
# One package, where Debian itself would make three: the library is of no use without its models and OpenVINO, and both
# are larger than all the rest.

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
# Loaded when a HEIC or AVIF picture comes; without it all else works.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libheif1)
# `faceverify models install` runs models/fetch.py; video is read by ffmpeg; two servers share PostgreSQL.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, ffmpeg, libpq5")

# Written here, since cpack would offer OpenVINO's libraries to other packages as well.
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs
  "libfaceverify ${PROJECT_VERSION_MAJOR} faceverify (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers
  ${PROJECT_SOURCE_DIR}/cmake/postinst ${PROJECT_SOURCE_DIR}/cmake/prerm ${PROJECT_SOURCE_DIR}/cmake/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)

include(CPack)
