# Writes the staged version of an OSTree host on its way down.
staged=/run/ostree/staged-deployment
[ ! -e $staged ] || [ -e $staged-locked ] || cp $staged /var/lib/hostler-test/version
