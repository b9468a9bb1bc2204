import { expect, test } from 'vitest';
import { describeStore } from '../../../../test/harness/stores/stores.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { Host } from '../../../domain/hosts/host.ts';
import { newHost } from '../../../domain/hosts/host.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';

const START_MS = Date.UTC(2030, 0, 1);
const at = (minute: number) => formatTimestamp(START_MS + minute * 60_000);

describeStore('the check history of a host', { per: 'suite' }, ({ store }) => {
  async function insert(address: string, status: Host['status'] = 'active'): Promise<Host> {
    const host: Host = { ...newHost(address as Address, { enrolment: 'e' }), status };
    await store().transaction(records => records.hosts.insertOrLock(host));
    return host;
  }
  const history = ({ address }: Host) => store().reads.healthChecks.getHistory(address);

  test('contains individual and batch checks in order', async () => {
    const [one, other, unreachable] = [
      await insert('127.0.0.1'),
      await insert('127.0.0.2'),
      await insert('127.0.0.3', 'unreachable'),
    ];
    expect(await history(one)).toEqual([]);
    await store().transaction(async ({ hosts, healthChecks }) => {
      await healthChecks.recordPassed([one.address, other.address, unreachable.address], at(0));
      await hosts.updateAfterCheck({ ...one, lastCheck: at(1) }, { at: at(1), result: 'unreachable' });
      await hosts.update({ ...one, lastCheck: at(2), status: 'disassociated' });
      await hosts.updateAfterCheck({ ...one, lastCheck: at(3) }, { at: at(3), result: 'failed' });
    });
    expect(await history(one)).toEqual([
      { at: at(0), result: 'passed' },
      { at: at(1), result: 'unreachable' },
      { at: at(3), result: 'failed' },
    ]);
    expect((await store().reads.hosts.get(one.address))?.lastCheck).toBe(at(3));
    expect(await history(other)).toEqual([{ at: at(0), result: 'passed' }]);
    expect(await history(unreachable)).toEqual([]);
  });

  test('keeps the last sixty checks', async () => {
    const host = await insert('127.0.0.4');
    await store().transaction(async ({ hosts, healthChecks }) => {
      for (let minute = 0; minute < 62; minute += 1) await healthChecks.recordPassed([host.address], at(minute));
      await hosts.updateAfterCheck(host, { at: at(62), result: 'unreachable' });
    });
    const checks = await history(host);
    expect(checks?.map(check => check.at)).toEqual(Array.from({ length: 60 }, (_, index) => at(index + 3)));
    expect(checks?.at(-1)?.result).toBe('unreachable');
  });

  test('is removed with its host', async () => {
    const host = await insert('127.0.0.5');
    await store().transaction(records => records.healthChecks.recordPassed([host.address], at(0)));
    await store().transaction(records => records.hosts.remove(host.address));
    expect(await history(host)).toBeUndefined();
    expect(await history(await insert('127.0.0.5'))).toEqual([]);
  });
});
