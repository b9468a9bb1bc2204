# An OSTree host runs its version, and says so.
: >/run/ostree-booted
version=$(cat /var/lib/hostler-test/version)
sed "s/@VERSION@/$version/" /usr/lib/hostler-test/os-release >/run/os-release
