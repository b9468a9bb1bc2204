import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import type { Guest, Place } from './guests.ts';
import { badGuests, enrolmentOf, goodGuests, HANGS } from './guests.ts';
import type { HostStatus } from './host-status.ts';
import { FIRST_BUILD_MS, hostStatus } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  // Also on a busy machine: who is late is tried again, and that is a second login.
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_FIRST_CONTACT_TIMEOUT_S: '10',
  HOSTLER_BOOTSTRAP_RETRY_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '86400',
};
const DEADLINE_MS = 60_000;

describeOnRealHosts('real hosts with real sshds, enrolled all at once,', () => {
  let service: TestService;
  const places = new Map<Guest, Place>();
  const statusOf = (guest: Guest) => hostStatus(service, places.get(guest)?.address);
  const isOver = ({ status }: HostStatus) => status !== 'investigating' && status !== 'bootstrapping';

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    const guests = [...badGuests, ...goodGuests];
    const started = await Promise.all(guests.map(guest => guest.start()));
    for (const [index, guest] of guests.entries()) {
      const place = started[index];
      if (place) places.set(guest, place);
    }
    // The bad ones first, so that they are in the way if they can.
    for (const [guest, place] of places) {
      const { status } = await service.put(`/api/v0/host/${place.address}`, await enrolmentOf(guest, place));
      expect(status).toBe(201);
    }
    for (const [guest, { host }] of places) if (host) await guest.afterwards?.(host);
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all([...places.values()].map(place => place.stop()));
  });

  test.each([...goodGuests, ...badGuests])('$what becomes $status', async guest => {
    const host = await until(
      guest.what,
      async () => {
        const status = await statusOf(guest);
        return isOver(status) && status;
      },
      DEADLINE_MS,
    );
    expect(host).toMatchObject({ status: guest.status });
    // Nothing that a terminal would obey, also not as JSON writes it.
    const { text } = await service.get(`/api/v0/host/${places.get(guest)?.address}/status`);
    expect(text).not.toMatch(/\\u00[01]|[\p{Cc}\p{Cf}]/u);
    if (guest.reason) expect(host.reason).toMatch(guest.reason);
    const { body } = await service.get<{ os: string; cpus: number }>(
      `/api/v0/host/${places.get(guest)?.address}`,
    );
    expect(body.os).toBe(guest.os);
    if (guest.status === 'disassociated') expect(body.cpus).toBeGreaterThan(0);
  });

  test('each good one was logged in to once, for all that was asked of it', () => {
    const logins = goodGuests.map(guest => places.get(guest)?.host?.logins());
    expect(logins).toEqual(goodGuests.map(() => 1));
  });

  test('none of the good ones had to wait for one that hangs', async () => {
    type Told = { readonly type: string; readonly subject: string; readonly data: { readonly to?: string } };
    const told = (await service.get<Told[]>('/api/v0/audit?limit=1000')).body.filter(
      ({ type, data }) => type === 'host.status' && ['disassociated', 'failed'].includes(data.to ?? ''),
    );
    const addressOf = (guest: Guest) => places.get(guest)?.address ?? '';
    const order = told.map(({ subject }) => subject);
    const hung = badGuests.find(({ what }) => what === HANGS);
    const prompt = goodGuests.filter(({ afterwards }) => afterwards === undefined);
    const isAfter = (address: string) => order.indexOf(address) > order.indexOf(hung ? addressOf(hung) : '');
    expect(order).toContain(hung && addressOf(hung));
    // The newest comes first.
    expect(prompt.map(addressOf).filter(address => !isAfter(address))).toEqual([]);
  });
});
