# Debian's deviations from a plain prefix: run by cpack on the files of the package.

set(doc ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/faceverify)
set(page ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/man1/faceverify.1)

# Debian provides this licence.
file(REMOVE ${doc}/LICENSE)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog
  "faceverify (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9n ${doc}/changelog ${page} COMMAND_ERROR_IS_FATAL ANY)
