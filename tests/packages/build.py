# SPDX-License-Identifier: Apache-2.0
"""Builds the Debian packages for the tests beside it: build.py PACKAGES BUILD

Exit code 77, and no folder, where the programs that make packages are missing.
"""
import pathlib
import shutil
import subprocess
import sys


def main():
    packages, build = map(pathlib.Path, sys.argv[1:3])
    shutil.rmtree(packages, ignore_errors=True)
    missing = [program for program in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "file") if not shutil.which(program)]
    if missing:
        print(f"skipped: {', '.join(missing)} missing (apt install dpkg-dev file)")
        return 77
    # gzip packs in a tenth of the time of xz.
    subprocess.run(["cpack", "--config", build / "CPackConfig.cmake", "-B", packages, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"], check=True)
    shutil.rmtree(packages / "_CPack_Packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
