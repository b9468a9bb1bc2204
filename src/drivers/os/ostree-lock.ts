// A staged deployment of an OSTree is applied on the way down, whoever asks for the reboot, unless its finalization is locked.
// Nothing staged is nothing to do. The lock has two forms: ostree has had the command since 2023.8; before that it was a file, and
// rpm-ostree went on to write that one until 2024.6. The command does not see the file, and succeeds. So both are taken away.

import type { Argv } from '../../domain/command.ts';

const LOCK = `[ -e /run/ostree/staged-deployment ] || exit 0
exec ostree admin lock-finalization`;

const UNLOCK = `[ -e /run/ostree/staged-deployment ] || exit 0
ostree admin lock-finalization --unlock || [ -e /run/ostree/staged-deployment-locked ] || exit 1
exec rm -f /run/ostree/staged-deployment-locked`;

export const LOCK_STAGED: Argv = ['sh', '-c', LOCK];
export const UNLOCK_STAGED: Argv = ['sh', '-c', UNLOCK];
