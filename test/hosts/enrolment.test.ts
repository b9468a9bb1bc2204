import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import type { EnrolmentCase, StartedHost } from './enrolment-cases.ts';
import { acceptedHosts, CONNECT_TIMEOUT_S, enrolmentOf, HANGS, rejectedHosts } from './enrolment-cases.ts';
import type { HostStatus } from './host-status.ts';
import { hostStatus } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: String(CONNECT_TIMEOUT_S),
  HOSTLER_FIRST_CONTACT_TIMEOUT_S: '20',
  HOSTLER_BOOTSTRAP_RETRY_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '86400',
};
const DEADLINE_MS = 60_000;

describeOnRealHosts('real hosts enrolled at the same time', () => {
  let service: TestService;
  const running = new Map<EnrolmentCase, StartedHost>();
  const statusOf = (testCase: EnrolmentCase) => hostStatus(service, running.get(testCase)?.address);
  const hasEnded = ({ status }: HostStatus) => status !== 'investigating' && status !== 'bootstrapping';

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    const testCases = [...rejectedHosts, ...acceptedHosts];
    const started = await Promise.all(testCases.map(testCase => testCase.start()));
    for (const [index, testCase] of testCases.entries()) {
      const host = started[index];
      if (host) running.set(testCase, host);
    }
    // Hosts that must fail come first, so they would delay the others if they could.
    for (const [testCase, host] of running) {
      const { status } = await service.put(`/api/v0/host/${host.address}`, await enrolmentOf(testCase, host));
      expect(status).toBe(201);
    }
    for (const [testCase, { host }] of running) if (host) await testCase.afterEnrolment?.(host);
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all([...running.values()].map(host => host.stop()));
  });

  test.each([...acceptedHosts, ...rejectedHosts])('$name becomes $status', async testCase => {
    const host = await waitUntil(
      testCase.name,
      async () => {
        const status = await statusOf(testCase);
        return hasEnded(status) && status;
      },
      DEADLINE_MS,
    );
    expect(host).toMatchObject({ status: testCase.status });
    // No control characters, also not as JSON escapes.
    const { text } = await service.get(`/api/v0/host/${running.get(testCase)?.address}/status`);
    expect(text).not.toMatch(/\\u00[01]|[\p{Cc}\p{Cf}]/u);
    if (testCase.reason) expect(host.reason).toMatch(testCase.reason);
    const { body } = await service.get<{ os: string; cpus: number }>(`/api/v0/host/${running.get(testCase)?.address}`);
    expect(body.os).toBe(testCase.os);
    if (testCase.status === 'disassociated') expect(body.cpus).toBeGreaterThan(0);
  });

  test('need one login per accepted host', () => {
    const logins = acceptedHosts.map(testCase => running.get(testCase)?.host?.logins());
    expect(logins).toEqual(acceptedHosts.map(() => 1));
  });

  test('are not delayed by a host that hangs', async () => {
    type AuditEntry = {
      readonly type: string;
      readonly subject: string;
      readonly data: { readonly to?: string };
    };
    const statusEvents = (await service.get<AuditEntry[]>('/api/v0/audit?limit=1000')).body.filter(
      ({ type, data }) => type === 'host.status' && ['disassociated', 'failed'].includes(data.to ?? ''),
    );
    const addressOf = (testCase: EnrolmentCase) => running.get(testCase)?.address ?? '';
    const order = statusEvents.map(({ subject }) => subject);
    const hung = rejectedHosts.find(({ name }) => name === HANGS);
    const onTime = acceptedHosts.filter(({ afterEnrolment }) => afterEnrolment === undefined);
    const isAfter = (address: string) => order.indexOf(address) > order.indexOf(hung ? addressOf(hung) : '');
    expect(order).toContain(hung && addressOf(hung));
    // The newest event comes first.
    expect(onTime.map(addressOf).filter(address => !isAfter(address))).toEqual([]);
  });
});
