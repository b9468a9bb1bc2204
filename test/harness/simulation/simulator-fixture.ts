// Simulates the few shell commands of the transport conformance suite and of the simulator tests. It belongs to no
// driver; `fixture` is a fictitious OS.

import { constants } from 'node:os';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { parseAddress } from '../../../src/domain/addresses/address.ts';
import type { Argv, CommandResult } from '../../../src/domain/command.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { Connection, Target } from '../../../src/drivers/transport/transport.ts';
import type { FleetOptions } from '../../../src/simulator/simulated-fleet.ts';
import { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type {
  CommandCaller,
  CommandSimulator,
  SimulatedMachine,
  SimulatedResult,
} from '../../../src/simulator/simulated-machine.ts';
import { simulatedResult } from '../../../src/simulator/simulated-machine.ts';
import type { SimulatedHostSpec } from '../../../src/simulator/simulation-context.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Supports only `%s` for each argument, and bytes in octal. One character of `latin1` is one byte. */
function printf(format: string, args: readonly string[]): Uint8Array {
  const latin1 = (text: string) => Buffer.from(text).toString('latin1');
  const decoded = latin1(format).replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));
  const lines = args.length === 0 ? [decoded] : args.map(arg => decoded.replaceAll('%s', () => latin1(arg)));
  return Buffer.from(lines.join(''), 'latin1');
}

const SCRIPTS: Readonly<Record<string, SimulatedResult>> = {
  'printf out; printf err >&2; exit 7': simulatedResult(7, 'out', 'err'),
  'kill -9 $$': simulatedResult(128 + constants.signals.SIGKILL),
};

function execute(
  machine: SimulatedMachine,
  argv: Argv,
  { isRoot, input = '' }: CommandCaller,
): SimulatedResult | undefined {
  const [program, first = '', second = ''] = argv;
  switch (program) {
    case 'printf':
      return simulatedResult(0, printf(first, argv.slice(2)));
    case 'id':
      return simulatedResult(0, isRoot ? '0\n' : '1000\n');
    case 'sh':
      return SCRIPTS[second];
    case 'sleep':
      return { ...simulatedResult(0), durationMs: Number(first) * 1000 };
    case 'head':
      return simulatedResult(0, new Uint8Array(Number(second)));
    case 'cat':
      return simulatedResult(0, first === '/proc/sys/kernel/random/boot_id' ? `${machine.bootId}\n` : input);
    case 'touch':
      if (machine.isDiskFull)
        return simulatedResult(1, '', `touch: cannot touch '${first}': No space left on device\n`);
      machine.runFiles.set(first, '');
      return simulatedResult(0);
    case 'ls':
      return simulatedResult(0, [...machine.runFiles.keys()].map(name => `${name}\n`).join(''));
    case 'reboot':
      machine.power.reboot();
      return simulatedResult(0);
    default:
      return undefined;
  }
}

export const simulatedShell: CommandSimulator = {
  templates: {
    fixture: {
      osRelease: 'ID=fixture\n',
      tools: ['sh'],
      packages: { kernel: '1.0' },
      deployment: { version: '1', checksum: 'aa', image: '' },
    },
  },
  execute,
};

export const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };

export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`${text} is not an address`);
  return parsed;
}

export const targetOf = (host: Address): Target => ({
  address: host,
  port: 22,
  user: 'admin',
  privateKey: new Secret('a2V5'),
  hostKeys: [],
});

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

export const summarizeResult = (result: CommandResult | TransportFailure): string =>
  result instanceof TransportFailure
    ? result.kind
    : `${result.exitCode} ${text(result.stdout)}${text(result.stderr)}`.trim();

export function simulatorFixture(spec: Partial<SimulatedHostSpec> = {}, options: Partial<FleetOptions> = {}) {
  const clock = new VirtualClock();
  const fleet = new SimulatedFleet({ clock, simulators: { systems: [simulatedShell] }, ...options });
  const host = fleet.add(address('10.0.0.1'), { os: 'fixture', ...spec });
  const target = targetOf(host.address);

  const settle = <Result>(promise: Promise<Result>): Promise<Result> => clock.advanceUntilSettled(promise, 86_400_000);
  const tryToConnect = (to: Partial<Target> = {}) => settle(fleet.transport.connect({ ...target, ...to }, LIMITS));
  const connect = async (): Promise<Connection> => {
    const connection = await tryToConnect();
    if (connection instanceof TransportFailure) throw new Error(String(connection));
    return connection;
  };
  /** The first key of the host is pinned, so a `key_changed` fault is detected. */
  const hostKeys = [host.hostKey];
  const runOnce = async (...argv: Argv): Promise<string> => {
    const connection = await tryToConnect({ hostKeys });
    if (connection instanceof TransportFailure) return connection.kind;
    const result = await settle(connection.run(argv, LIMITS));
    connection.close();
    return summarizeResult(result);
  };
  return { clock, fleet, host, target, settle, tryToConnect, connect, runOnce };
}
