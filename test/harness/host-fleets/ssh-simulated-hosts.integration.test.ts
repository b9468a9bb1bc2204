import { once } from 'node:events';
import { promisify } from 'node:util';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { commandScript, LOGIN_COMMAND } from '../../../src/drivers/transport/command-script.ts';
import { createSshTransport } from '../../../src/drivers/transport/ssh/ssh-transport.ts';
import { probeReboot, sendRebootQuery } from '../../../src/procedures/reboot/reboot-scripts.ts';
import { ScriptError } from '../../../src/procedures/script-error.ts';
import { PRIVATE_KEY } from '../credentials.ts';
import { waitUntil } from '../wait-until.ts';
import { SshSimulatedHosts } from './ssh-simulated-hosts.ts';

const LIMITS = { timeoutMs: 10_000, signal: new AbortController().signal };
const SHORT_LIMITS = { ...LIMITS, timeoutMs: 300 };
const HOUR_S = 3600;
const NO_BOOT = '00000000-0000-4000-8000-000000000000';
const LOCAL_SOURCE = '127.0.0.1';

describe('SshSimulatedHosts', () => {
  let fleet: SshSimulatedHosts;
  const transport = createSshTransport();
  beforeAll(async () => {
    fleet = await SshSimulatedHosts.start({ hosts: 4, speed: 20, latencies: { commandMs: 0, bootMs: 2000 } });
  });
  afterAll(() => fleet.stop());

  const getPort = (address: string) => fleet.endpoints.get(address)?.port ?? 0;
  const connect = (address: string, limits = LIMITS) =>
    transport.connect(
      {
        address: address as Address,
        port: getPort(address),
        user: 'root',
        privateKey: new Secret(PRIVATE_KEY),
        hostKeys: [],
      },
      limits,
    );
  const rebootId = (bootId: string) => ({ operation: 'an_op-1', attempt: 1, bootId });
  /** `undefined` if the host does not respond. */
  async function readBootId(address: string): Promise<string | undefined> {
    const connection = await connect(address);
    if (connection instanceof TransportFailure) return undefined;
    const query = probeReboot(rebootId(NO_BOOT));
    const result = await connection.run(query.argv, LIMITS);
    connection.close();
    const probe = result instanceof TransportFailure ? undefined : query.parse(result);
    return probe instanceof ScriptError ? undefined : probe?.bootId;
  }
  async function reboot(address: string): Promise<string | undefined> {
    const bootId = (await readBootId(address)) ?? '';
    const connection = await connect(address);
    if (connection instanceof TransportFailure) return undefined;
    const query = sendRebootQuery(rebootId(bootId), { deadlineS: 2 * HOUR_S, customRebootArgv: null });
    const result = await connection.run(query.argv, LIMITS);
    connection.close();
    const parsed = result instanceof TransportFailure ? undefined : query.parse(result);
    return parsed === undefined ? undefined : String(parsed);
  }
  const findHistory = (address: string) => fleet.rebootHistory.find(host => host.address === address);
  const getReboots = (address: string) => findHistory(address)?.reboots ?? [];

  test('a reboot changes the boot ID and is recorded once', async () => {
    const before = await readBootId('127.200.0.1');
    expect(await reboot('127.200.0.1')).toBe('started');
    expect(findHistory('127.200.0.1')?.acceptedReboots).toMatchObject([{ operation: 'an_op-1', attempt: 1 }]);
    await waitUntil('the host has rebooted', () => getReboots('127.200.0.1')[0]?.upAtMs ?? undefined);
    expect(await readBootId('127.200.0.1')).not.toBe(before);
    expect(getReboots('127.200.0.1')).toHaveLength(1);
    const [{ downAtMs, upAtMs } = { downAtMs: 0, upAtMs: 0 }] = getReboots('127.200.0.1');
    expect((upAtMs ?? 0) - downAtMs).toBeGreaterThan(80);
  });

  test('a second reboot by itself is recorded as one accepted reboot and two outages', async () => {
    fleet.addFault('127.200.0.2', { kind: 'reboot_twice', afterMs: 100, times: 1 });
    await reboot('127.200.0.2');
    await waitUntil(
      'the host has rebooted for the second time',
      () => getReboots('127.200.0.2')[1]?.upAtMs ?? undefined,
    );
    expect(findHistory('127.200.0.2')?.acceptedReboots).toHaveLength(1);
  });

  test('a cut link rejects connections until it is restored', async () => {
    fleet.links.cut(LOCAL_SOURCE);
    expect(await readBootId('127.200.0.3')).toBeUndefined();
    fleet.links.restore(LOCAL_SOURCE);
    expect(await readBootId('127.200.0.3')).toBeDefined();
  });

  test('a command sent on a stalled link runs when the link is restored, after its sender has gone', async () => {
    const [address, bootId = ''] = ['127.200.0.4', await readBootId('127.200.0.4')];
    const { argv } = sendRebootQuery(rebootId(bootId), { deadlineS: 2 * HOUR_S, customRebootArgv: null });
    const client = new ssh2.Client();
    client.connect({ host: address, port: getPort(address), username: 'root' });
    await once(client, 'ready');
    const channel = await promisify(client.exec.bind(client))(LOGIN_COMMAND);
    fleet.links.stall(LOCAL_SOURCE);
    channel.end(commandScript(argv, { user: 'root', asRoot: true }, 'mark'));
    client.end();
    expect(await connect(address, SHORT_LIMITS)).toMatchObject({ kind: 'timed_out' });
    expect(findHistory(address)?.acceptedReboots).toEqual([]);
    fleet.links.restore(LOCAL_SOURCE);
    await waitUntil('the host reboots', () => getReboots(address).length > 0);
  });
});
