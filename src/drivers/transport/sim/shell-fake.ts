// How a pretend machine answers the few plain commands that the conformance suite and the simulator's own tests run. It belongs to
// no driver; `lab` is a system that nobody has.

import { constants } from 'node:os';
import type { Argv } from '../../../domain/command.ts';
import type { Machine, MachineAnswer, MachineCaller, MachineFake } from '../../machine.ts';

const said = (stdout: string | Uint8Array, exitCode = 0, stderr = ''): MachineAnswer => ({
  exitCode,
  stdout: typeof stdout === 'string' ? new TextEncoder().encode(stdout) : stdout,
  stderr: new TextEncoder().encode(stderr),
});

/** As far as it is needed: `%s` for each argument in turn, and bytes in octal. One character of `latin1` is one byte. */
function printf(format: string, args: readonly string[]): Uint8Array {
  const latin1 = (text: string) => Buffer.from(text).toString('latin1');
  const decoded = latin1(format).replace(/\\([0-7]{3})/g, (_, octal) =>
    String.fromCharCode(parseInt(octal, 8)),
  );
  const lines = args.length === 0 ? [decoded] : args.map(arg => decoded.replaceAll('%s', () => latin1(arg)));
  return Buffer.from(lines.join(''), 'latin1');
}

/** What the scripts of the suite do. */
const SCRIPTS: Readonly<Record<string, MachineAnswer>> = {
  'printf out; printf err >&2; exit 7': said('out', 7, 'err'),
  'kill -9 $$': said('', 128 + constants.signals.SIGKILL),
};

function answer(
  machine: Machine,
  argv: Argv,
  { isRoot, input = '' }: MachineCaller,
): MachineAnswer | undefined {
  const [program, first = '', second = ''] = argv;
  switch (program) {
    case 'printf':
      return said(printf(first, argv.slice(2)));
    case 'id':
      return said(isRoot ? '0\n' : '1000\n');
    case 'sh':
      return SCRIPTS[second];
    case 'sleep':
      return { ...said(''), tookMs: Number(first) * 1000 };
    case 'head':
      return said(new Uint8Array(Number(second)));
    case 'cat':
      return said(first === '/proc/sys/kernel/random/boot_id' ? `${machine.bootId}\n` : input);
    case 'touch':
      if (machine.isDiskFull) return said('', 1, `touch: cannot touch '${first}': No space left on device\n`);
      machine.run.set(first, '');
      return said('');
    case 'ls':
      return said([...machine.run.keys()].map(name => `${name}\n`).join(''));
    case 'reboot':
      machine.reboot();
      return said('');
    default:
      return undefined;
  }
}

export const shellFake: MachineFake = {
  blueprints: {
    lab: {
      osRelease: 'ID=lab\n',
      tools: ['sh'],
      packages: { kernel: '1.0' },
      deployment: { version: '1', checksum: 'aa', image: '' },
    },
  },
  answer,
};
