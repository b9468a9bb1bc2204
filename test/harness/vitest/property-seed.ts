// A failed property names the command that repeats it: `HOSTLER_FUZZ` sets the seed.

import fc from 'fast-check';
import { formatRepeatCommand } from './repeat-command.ts';

const seed = process.env['HOSTLER_FUZZ'];

fc.configureGlobal({
  ...(seed !== undefined && { seed: Number(seed) }),
  reporter: details => {
    if (!details.failed) return;
    const message = `${fc.defaultReportMessage(details)}\n\nTo repeat: ${formatRepeatCommand('HOSTLER_FUZZ', details.seed)}`;
    throw new Error(message, { cause: details.errorInstance });
  },
});
