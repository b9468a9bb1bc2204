import { describe, expect, test } from 'vitest';
import { acceptHostKey, rebootstrapHost } from '../../src/app/hosts/rebootstrap-host.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { SimulatedHostSpec } from '../../src/simulator/simulation-context.ts';
import { listOutboxEntries } from '../harness/events/outbox-entries.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { KEY } from '../harness/simulation/simulation.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';

const HOST = '127.0.0.1' as Address;
const OTHER_HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

describeSimulation(
  'a host',
  {
    per: 'test',
    kinds: SQLITE_UNLESS_LONG,
    // Long leases, because these tests advance the clock by hours.
    settings: { leaseMs: 10 * MINUTE },
    prepare: simulation => simulation.startServer(),
  },
  simulation => {
    test('becomes disassociated with its facts when it is in no cluster', async () => {
      await simulation().enrolHosts([HOST], { os: 'debian', hostname: 'db1' });
      expect(await simulation().describeStatus(HOST)).toBe('investigating');
      await simulation().waitForStatus(HOST, 'disassociated');
      const { bootId, cpus, memoryKib, spaceKib } = simulation().fleet.host(HOST).machine;
      const facts = { os: 'debian', osDriver: 'apt', hostname: 'db1', bootId, cpus, memoryKib, spaceKib };
      expect(await simulation().host(HOST)).toMatchObject(facts);
      expect((await simulation().host(HOST))?.lastCheck).not.toBe('');
    });

    test('becomes active in a cluster without container manager', async () => {
      await simulation().makeCluster('web');
      await simulation().enrolHosts([HOST], {}, { cluster: toRecordName('web') });
      await simulation().waitForStatus(HOST, 'active');
    });

    test('becomes active in a cluster with a container manager after it is registered there', async () => {
      await simulation().makeCluster('web', 'nodes');
      await simulation().enrolHosts([HOST], {}, { cluster: toRecordName('web') });
      await simulation().waitForStatus(HOST, 'active');
      expect((await simulation().host(HOST))?.registeredWith).toBe('nodes');
      expect(await simulation().trivialNodes('nodes')).toEqual([HOST]);
    });

    test('emits an event for each status change, with its reason', async () => {
      await simulation().enrolHosts([HOST], { faults: [{ kind: 'auth_rejected' }] });
      await simulation().waitForStatus(HOST, 'failed (auth_rejected)');
      await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
      simulation().fleet.host(HOST).clearFaults();
      await simulation().waitForStatus(HOST, 'disassociated');
      expect(await simulation().emittedStatuses(HOST)).toEqual([
        'investigating → failed: auth_rejected',
        'failed → investigating',
        'investigating → bootstrapping',
        'bootstrapping → disassociated',
      ]);
    });

    describe('with a temporary fault', () => {
      test.each<[string, Partial<SimulatedHostSpec>]>([
        ['its sshd starts late', { faults: [{ kind: 'unreachable', times: 15 }] }],
        ['it is slow', { faults: [{ kind: 'slow', connectMs: 5000, commandMs: 9000 }] }],
        ['connections break before commands take effect', { faults: [{ kind: 'cut', tookEffect: false, times: 3 }] }],
        ['connections break after commands took effect', { faults: [{ kind: 'cut', tookEffect: true, times: 3 }] }],
        [
          'its facts cannot be read at first',
          { faults: [{ kind: 'exit', exitCode: 2, on: /hostler-facts/, times: 2 }] },
        ],
        ['its login shell fails at first', { faults: [{ kind: 'no_shell', times: 4 }] }],
        ['it does not respond at first', { faults: [{ kind: 'frozen', times: 2 }] }],
        ['it accepts connections and sends nothing', { faults: [{ kind: 'frozen', at: 'connect', times: 2 }] }],
      ])('becomes disassociated although %s', async (_case, spec) => {
        await simulation().enrolHosts([HOST], spec);
        await simulation().waitForStatus(HOST, 'disassociated', 30 * MINUTE);
        const left = simulation().fleet.host(HOST).faults?.all ?? [];
        expect(left.filter(fault => 'times' in fault && fault.times !== undefined)).toEqual([]);
      });
    });

    describe('with a permanent fault', () => {
      test.each<[string, Partial<SimulatedHostSpec>, string]>([
        ['it is never reachable', { faults: [{ kind: 'unreachable' }] }, 'failed (unreachable)'],
        ['it rejects the login', { faults: [{ kind: 'auth_rejected' }] }, 'failed (auth_rejected)'],
        ['its login shell runs no commands', { faults: [{ kind: 'no_shell' }] }, 'failed (no_shell)'],
        ['it never responds', { faults: [{ kind: 'frozen' }] }, 'failed (timed_out)'],
        [
          'facts cannot be read',
          { faults: [{ kind: 'exit', exitCode: 1, on: /hostler-facts/ }] },
          'failed (unexpected_output)',
        ],
        ['sudo asks for a password', { user: 'core', canSudo: false }, 'failed (not_root)'],
      ])('fails with the reason if %s', async (_case, spec, status) => {
        await simulation().enrolHosts([HOST], spec, { remoteUser: spec.user });
        await simulation().waitForStatus(HOST, status, 45 * MINUTE);
        const before = simulation().fleet.counters.connectAttempts;
        await simulation().clock.advance(60 * MINUTE);
        expect(simulation().fleet.counters.connectAttempts, 'no further contact').toBe(before);
      });

      test('fails if no driver supports its operating system, and its facts are stored', async () => {
        simulation().addHost(HOST).machine.osRelease = 'ID=plan9\n';
        await simulation().enrol(HOST);
        await simulation().waitForStatus(HOST, 'failed (unsupported_os)');
        expect(await simulation().host(HOST)).toMatchObject({ os: 'other', osDriver: '', cpus: 2 });
      });

      test('fails if the package tool of its driver is missing, and its operating system is stored', async () => {
        simulation().addHost(HOST).machine.osRelease = 'ID=fedora\n';
        await simulation().enrol(HOST);
        await simulation().waitForStatus(HOST, 'failed (unsupported_os)');
        expect(await simulation().host(HOST)).toMatchObject({ os: 'fedora', osDriver: '', cpus: 2 });
      });
    });

    test('fails in a cluster with network flannel_etcd while no etcd endpoint is set', async () => {
      await simulation().makeCluster('web', undefined, { type: 'flannel_etcd', options: {} });
      await simulation().enrolHosts([HOST], {}, { cluster: toRecordName('web') });
      await simulation().waitForStatus(HOST, 'failed (network)');
    });

    test('fails in a cluster with network flannel_server and reports that its flanneld is too new', async () => {
      const network = { type: 'flannel_server', options: { address: '127.0.0.1:8888' } };
      await simulation().makeCluster('web', undefined, network);
      await simulation().enrolHosts([HOST], {}, { cluster: toRecordName('web') });
      await simulation().waitForStatus(HOST, 'failed (permanent_failure)');
      expect((await simulation().host(HOST))?.reason).toMatch(/flannel removed its client mode in 0\.8\.0/);
    });

    test('does not count an hour without a server against the retry limit', async () => {
      await simulation().enrolHosts([HOST], { faults: [{ kind: 'unreachable', times: 4 }] });
      await simulation().clock.advance(5000);
      const [server] = simulation().servers;
      await server?.engine?.stop(0);
      server?.control.inject('kill_server');
      await simulation().clock.advance(60 * MINUTE);
      await simulation().startServer();
      await simulation().waitForStatus(HOST, 'disassociated');
    });

    describe('host keys', () => {
      test('saves the key of the first contact before any command runs', async () => {
        await simulation().enrolHosts([HOST], { faults: [{ kind: 'frozen' }] });
        await simulation().clock.advance(20_000);
        const access = await simulation().store.reads.hostAccess.get(HOST);
        expect(access?.hostKeys).toEqual([simulation().fleet.host(HOST).hostKey]);
      });

      test('runs no command on a host with another key than the enrolment specifies', async () => {
        await simulation().enrolHosts([HOST], {}, { hostKeys: [OTHER_HOST_KEY] });
        await simulation().waitForStatus(HOST, 'failed (host_key_changed)');
        expect(simulation().commandsRunOn(HOST)).toEqual([]);
        const access = await simulation().store.reads.hostAccess.get(HOST);
        expect(access?.pendingHostKey).toBe(simulation().fleet.host(HOST).hostKey);
      });

      test('fails when the key changes, and makes no contact until an administrator accepts the new key', async () => {
        await simulation().enrolHosts([HOST]);
        await simulation().waitForStatus(HOST, 'disassociated');
        const machine = simulation().fleet.host(HOST);
        machine.addFault({ kind: 'key_changed' });
        await simulation().waitForStatus(HOST, 'failed (host_key_changed)');
        const before = simulation().fleet.counters.connectAttempts;
        await simulation().clock.advance(60 * MINUTE);
        expect(simulation().fleet.counters.connectAttempts).toBe(before);
        await acceptHostKey(simulation().ports, LOCAL_ACTOR, {
          address: HOST,
          fingerprint: hostKeyFingerprint(machine.hostKey),
        });
        await simulation().waitForStatus(HOST, 'disassociated');
      });
    });

    test('discards a pending host key when the host presents the old one again', async () => {
      await simulation().enrolHosts([HOST]);
      await simulation().waitForStatus(HOST, 'disassociated');
      const machine = simulation().fleet.host(HOST);
      machine.addFault({ kind: 'key_changed' });
      await simulation().waitForStatus(HOST, 'failed (host_key_changed)');
      machine.clearFaults();
      await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
      await simulation().waitForStatus(HOST, 'disassociated');
      expect((await simulation().store.reads.hostAccess.get(HOST))?.pendingHostKey).toBeNull();
    });

    test('never logs, emits or stores its private key in plain text', async () => {
      await simulation().makeCluster('web', 'nodes');
      await simulation().enrolHosts([HOST], { faults: [{ kind: 'cut', tookEffect: true, times: 3 }] });
      await simulation().waitForStatus(HOST, 'disassociated');
      simulation().fleet.host(HOST).addFault({ kind: 'auth_rejected' });
      await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
      await simulation().waitForStatus(HOST, 'failed (auth_rejected)');
      const items = await listOutboxEntries(simulation().store);
      const everything = JSON.stringify([
        items,
        await simulation().host(HOST),
        simulation().servers.map(({ log }) => log),
        simulation().fleet.host(HOST).journal,
      ]);
      expect(everything).toContain('auth_rejected');
      expect(everything).not.toContain(KEY.reveal());
    });

    test('restarts the bootstrap on a retry, in any status', async () => {
      await simulation().enrolHosts([HOST], { faults: [{ kind: 'unreachable', times: 3 }] });
      for (const status of ['investigating', 'disassociated', 'unreachable (unreachable)']) {
        if (status.startsWith('unreachable')) simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
        await simulation().waitForStatus(HOST, status, 30 * MINUTE);
        await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
        expect(await simulation().describeStatus(HOST)).toBe('investigating');
        simulation().fleet.host(HOST).clearFaults();
        await simulation().waitForStatus(HOST, 'disassociated');
      }
    });
  },
);
