import { once } from 'node:events';
import { promisify } from 'node:util';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { commandScript, LOGIN_COMMAND } from '../../../src/drivers/transport/command-script.ts';
import { createSshTransport } from '../../../src/drivers/transport/ssh/ssh-transport.ts';
import { probeReboot } from '../../../src/procedures/reboot/probe-reboot.ts';
import { rebootQuery } from '../../../src/procedures/reboot/send-reboot.ts';
import { ScriptError } from '../../../src/procedures/script-error.ts';
import { PRIVATE_KEY } from '../keys.ts';
import { until } from '../until.ts';
import { SshFleet } from './ssh-fleet.ts';

const LIMITS = { timeoutMs: 10_000, signal: new AbortController().signal };
const SOON = { ...LIMITS, timeoutMs: 300 };
const HOUR_S = 3600;
const NO_BOOT = '00000000-0000-4000-8000-000000000000';
const OURS = '127.0.0.1';

describe('pretend hosts behind SSH', () => {
  let fleet: SshFleet;
  const transport = createSshTransport();
  beforeAll(async () => {
    fleet = await SshFleet.start({ hosts: 4, speed: 20, times: { commandMs: 0, bootMs: 2000 } });
  });
  afterAll(() => fleet.stop());

  const portOf = (address: string) => fleet.doors.get(address)?.port ?? 0;
  const connect = (address: string, limits = LIMITS) =>
    transport.connect(
      {
        address: address as Address,
        port: portOf(address),
        user: 'root',
        privateKey: new Secret(PRIVATE_KEY),
        hostKeys: [],
      },
      limits,
    );
  const markOf = (bootId: string) => ({ operation: 'an_op-1', attempt: 1, bootId });
  /** The boot that it is in; `undefined`: it does not say. */
  async function bootOf(address: string): Promise<string | undefined> {
    const connection = await connect(address);
    if (connection instanceof TransportFailure) return undefined;
    const question = probeReboot(markOf(NO_BOOT));
    const ran = await connection.run(question.argv, LIMITS);
    connection.close();
    const look = ran instanceof TransportFailure ? undefined : question.parse(ran);
    return look instanceof ScriptError ? undefined : look?.bootId;
  }
  async function reboot(address: string): Promise<string | undefined> {
    const bootId = (await bootOf(address)) ?? '';
    const connection = await connect(address);
    if (connection instanceof TransportFailure) return undefined;
    const question = rebootQuery(markOf(bootId), { deadlineS: 2 * HOUR_S, customRebootArgv: null });
    const ran = await connection.run(question.argv, LIMITS);
    connection.close();
    const answer = ran instanceof TransportFailure ? undefined : question.parse(ran);
    return answer === undefined ? undefined : String(answer);
  }
  const diaryOf = (address: string) => fleet.diary.find(host => host.address === address);
  const rebootsOf = (address: string) => diaryOf(address)?.reboots ?? [];

  test('a host that reboots has another boot id, and writes down that it was down once', async () => {
    const before = await bootOf('127.200.0.1');
    expect(await reboot('127.200.0.1')).toBe('started');
    expect(diaryOf('127.200.0.1')?.takenOn).toMatchObject([{ operation: 'an_op-1', attempt: 1 }]);
    await until('it is back', () => rebootsOf('127.200.0.1')[0]?.upAtMs ?? undefined);
    expect(await bootOf('127.200.0.1')).not.toBe(before);
    expect(rebootsOf('127.200.0.1')).toHaveLength(1);
    const [{ downAtMs, upAtMs } = { downAtMs: 0, upAtMs: 0 }] = rebootsOf('127.200.0.1');
    expect((upAtMs ?? 0) - downAtMs).toBeGreaterThan(80);
  });

  test('one that reboots once more by itself has taken on one reboot, and was down twice', async () => {
    fleet.suffer('127.200.0.2', { kind: 'reboot_twice', afterMs: 100, times: 1 });
    await reboot('127.200.0.2');
    await until('it is back for the second time', () => rebootsOf('127.200.0.2')[1]?.upAtMs ?? undefined);
    expect(diaryOf('127.200.0.2')?.takenOn).toHaveLength(1);
  });

  test('nobody gets through a way that is cut, until it is mended', async () => {
    fleet.ways.cut(OURS);
    expect(await bootOf('127.200.0.3')).toBeUndefined();
    fleet.ways.mend(OURS);
    expect(await bootOf('127.200.0.3')).toBeDefined();
  });

  test('what is sent while its way is clogged is carried out late, when its sender is gone', async () => {
    const [address, bootId = ''] = ['127.200.0.4', await bootOf('127.200.0.4')];
    const { argv } = rebootQuery(markOf(bootId), { deadlineS: 2 * HOUR_S, customRebootArgv: null });
    const client = new ssh2.Client();
    client.connect({ host: address, port: portOf(address), username: 'root' });
    await once(client, 'ready');
    const channel = await promisify(client.exec.bind(client))(LOGIN_COMMAND);
    fleet.ways.clog(OURS);
    channel.end(commandScript(argv, { user: 'root', asRoot: true }, 'mark'));
    client.end();
    expect(await connect(address, SOON)).toMatchObject({ kind: 'timed_out' });
    expect(diaryOf(address)?.takenOn).toEqual([]);
    fleet.ways.mend(OURS);
    await until('it reboots', () => rebootsOf(address).length > 0);
  });
});
