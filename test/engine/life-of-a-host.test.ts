import { describe, expect, test } from 'vitest';
import { acceptHostKey, rebootstrapHost } from '../../src/app/hosts/rebootstrap-host.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import type { SimulatedHostSpec } from '../../src/simulator/simulation-context.ts';
import { toldIn } from '../harness/events/told.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { KEY } from '../harness/simulation/simulation.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';

const HOST = '127.0.0.1' as Address;
const STRANGERS_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH';

simulateOnEachStore(
  'the life of a host',
  {
    per: 'test',
    kinds: SQLITE_UNLESS_LONG,
    // Long leases: these tests are about hosts, and let hours pass.
    settings: { leaseMs: 10 * MINUTE },
    prepare: simulation => simulation.startServer(),
  },
  simulation => {
    test('in no cluster it becomes disassociated, with its facts', async () => {
      await simulation().enrolMachines([HOST], { os: 'debian', hostname: 'db1' });
      expect(await simulation().statusOf(HOST)).toBe('investigating');
      await simulation().until(HOST, 'disassociated');
      const { bootId, cpus, memoryKib, spaceKib } = simulation().fleet.host(HOST).machine;
      const facts = { os: 'debian', osDriver: 'apt', hostname: 'db1', bootId, cpus, memoryKib, spaceKib };
      expect(await simulation().host(HOST)).toMatchObject(facts);
      expect((await simulation().host(HOST))?.lastCheck).not.toBe('');
    });

    test('in a cluster without container manager it becomes active', async () => {
      await simulation().makeCluster('web');
      await simulation().enrolMachines([HOST], {}, { cluster: toRecordName('web') });
      await simulation().until(HOST, 'active');
    });

    test('in a cluster with a container manager it becomes active once it is registered there', async () => {
      await simulation().makeCluster('web', 'nodes');
      await simulation().enrolMachines([HOST], {}, { cluster: toRecordName('web') });
      await simulation().until(HOST, 'active');
      expect((await simulation().host(HOST))?.registeredWith).toBe('nodes');
      expect(await simulation().nodes('nodes')).toEqual([HOST]);
    });

    test('each change of its status is told, with the reason where there is one', async () => {
      await simulation().enrolMachines([HOST], { faults: [{ kind: 'auth_rejected' }] });
      await simulation().until(HOST, 'failed (auth_rejected)');
      await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
      simulation().fleet.host(HOST).clearFaults();
      await simulation().until(HOST, 'disassociated');
      expect(await simulation().statusesTold(HOST)).toEqual([
        'investigating → failed: auth_rejected',
        'failed → investigating',
        'investigating → bootstrapping',
        'bootstrapping → disassociated',
      ]);
    });

    describe('with a fault that passes it is ready all the same', () => {
      test.each<[string, Partial<SimulatedHostSpec>]>([
        ['its sshd is not up for a while', { faults: [{ kind: 'unreachable', times: 15 }] }],
        ['it is slow', { faults: [{ kind: 'slow', connectMs: 5000, commandMs: 9000 }] }],
        [
          'connections break before commands count',
          { faults: [{ kind: 'cut', tookEffect: false, times: 3 }] },
        ],
        ['connections break after commands count', { faults: [{ kind: 'cut', tookEffect: true, times: 3 }] }],
        [
          'it cannot say what it is for a while',
          { faults: [{ kind: 'exit', exitCode: 2, on: /hostler-facts/, times: 2 }] },
        ],
        ['its login shell fails for a while', { faults: [{ kind: 'no_shell', times: 4 }] }],
        ['it does not answer for a while', { faults: [{ kind: 'frozen', times: 2 }] }],
        ['it takes connections and says nothing', { faults: [{ kind: 'frozen', at: 'connect', times: 2 }] }],
      ])('%s', async (_what, spec) => {
        await simulation().enrolMachines([HOST], spec);
        await simulation().until(HOST, 'disassociated', 30 * MINUTE);
        const left = simulation().fleet.host(HOST).faults?.all ?? [];
        expect(left.filter(fault => 'times' in fault && fault.times !== undefined)).toEqual([]);
      });
    });

    describe('with a fault that stays it fails, and says why', () => {
      test.each<[string, Partial<SimulatedHostSpec>, string]>([
        ['it never comes up', { faults: [{ kind: 'unreachable' }] }, 'failed (unreachable)'],
        ['it does not let us in', { faults: [{ kind: 'auth_rejected' }] }, 'failed (auth_rejected)'],
        ['its login shell runs nothing', { faults: [{ kind: 'no_shell' }] }, 'failed (no_shell)'],
        ['it never answers', { faults: [{ kind: 'frozen' }] }, 'failed (timed_out)'],
        [
          'facts cannot be read',
          { faults: [{ kind: 'exit', exitCode: 1, on: /hostler-facts/ }] },
          'failed (unexpected_output)',
        ],
        ['sudo asks for a password', { user: 'core', canSudo: false }, 'failed (not_root)'],
      ])('%s', async (_what, spec, status) => {
        await simulation().enrolMachines([HOST], spec, { remoteUser: spec.user });
        await simulation().until(HOST, status, 45 * MINUTE);
        const before = simulation().fleet.counters.connectAttempts;
        await simulation().clock.advance(60 * MINUTE);
        expect(simulation().fleet.counters.connectAttempts, 'it is left alone').toBe(before);
      });

      test('no driver knows its system; its facts are there', async () => {
        simulation().addMachine(HOST).machine.osRelease = 'ID=plan9\n';
        await simulation().enrol(HOST);
        await simulation().until(HOST, 'failed (unsupported_os)');
        expect(await simulation().host(HOST)).toMatchObject({ os: 'other', osDriver: '', cpus: 2 });
      });

      test('the tool of its driver is missing; what it is is known', async () => {
        simulation().addMachine(HOST).machine.osRelease = 'ID=fedora\n';
        await simulation().enrol(HOST);
        await simulation().until(HOST, 'failed (unsupported_os)');
        expect(await simulation().host(HOST)).toMatchObject({ os: 'fedora', osDriver: '', cpus: 2 });
      });
    });

    test('in a cluster whose network is flannel_etcd it fails, as long as no etcd endpoint is set', async () => {
      await simulation().makeCluster('web', undefined, { type: 'flannel_etcd', options: {} });
      await simulation().enrolMachines([HOST], {}, { cluster: toRecordName('web') });
      await simulation().until(HOST, 'failed (network)');
    });

    test('in a cluster whose network is flannel_server it fails, and says that its flanneld is too new', async () => {
      const network = { type: 'flannel_server', options: { address: '127.0.0.1:8888' } };
      await simulation().makeCluster('web', undefined, network);
      await simulation().enrolMachines([HOST], {}, { cluster: toRecordName('web') });
      await simulation().until(HOST, 'failed (permanent_failure)');
      expect((await simulation().host(HOST))?.reason).toMatch(/flannel removed its client mode in 0\.8\.0/);
    });

    test('an hour in which no server runs does not count against its patience', async () => {
      await simulation().enrolMachines([HOST], { faults: [{ kind: 'unreachable', times: 4 }] });
      await simulation().clock.advance(5000);
      const [server] = simulation().servers;
      await server?.engine?.stop(0);
      server?.control.kill();
      await simulation().clock.advance(60 * MINUTE);
      await simulation().startServer();
      await simulation().until(HOST, 'disassociated');
    });

    describe('host keys', () => {
      test('the one of the first contact is saved before anything is run', async () => {
        await simulation().enrolMachines([HOST], { faults: [{ kind: 'frozen' }] });
        await simulation().clock.advance(20_000);
        const access = await simulation().store.reads.hostAccess.get(HOST);
        expect(access?.hostKeys).toEqual([simulation().fleet.host(HOST).hostKey]);
      });

      test('a host that shows another one than was given is not let near any command', async () => {
        await simulation().enrolMachines([HOST], {}, { hostKeys: [STRANGERS_KEY] });
        await simulation().until(HOST, 'failed (host_key_changed)');
        expect(simulation().commandsOn(HOST)).toEqual([]);
        const access = await simulation().store.reads.hostAccess.get(HOST);
        expect(access?.pendingHostKey).toBe(simulation().fleet.host(HOST).hostKey);
      });

      test('a host that changes it fails, and is left alone until a person accepts the new one', async () => {
        await simulation().enrolMachines([HOST]);
        await simulation().until(HOST, 'disassociated');
        const machine = simulation().fleet.host(HOST);
        machine.addFault({ kind: 'key_changed' });
        await simulation().until(HOST, 'failed (host_key_changed)');
        const before = simulation().fleet.counters.connectAttempts;
        await simulation().clock.advance(60 * MINUTE);
        expect(simulation().fleet.counters.connectAttempts).toBe(before);
        await acceptHostKey(simulation().ports, LOCAL_ACTOR, {
          address: HOST,
          fingerprint: hostKeyFingerprint(machine.hostKey),
        });
        await simulation().until(HOST, 'disassociated');
      });
    });

    test('a key that it offered is forgotten when it shows the old one again', async () => {
      await simulation().enrolMachines([HOST]);
      await simulation().until(HOST, 'disassociated');
      const machine = simulation().fleet.host(HOST);
      machine.addFault({ kind: 'key_changed' });
      await simulation().until(HOST, 'failed (host_key_changed)');
      machine.clearFaults();
      await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
      await simulation().until(HOST, 'disassociated');
      expect((await simulation().store.reads.hostAccess.get(HOST))?.pendingHostKey).toBeNull();
    });

    test('nothing that is logged, told or saved of it shows its private key', async () => {
      await simulation().makeCluster('web', 'nodes');
      await simulation().enrolMachines([HOST], { faults: [{ kind: 'cut', tookEffect: true, times: 3 }] });
      await simulation().until(HOST, 'disassociated');
      simulation().fleet.host(HOST).addFault({ kind: 'auth_rejected' });
      await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
      await simulation().until(HOST, 'failed (auth_rejected)');
      const items = await toldIn(simulation().store);
      const everything = JSON.stringify([
        items,
        await simulation().host(HOST),
        simulation().servers.map(({ log }) => log),
        simulation().fleet.host(HOST).journal,
      ]);
      expect(everything).toContain('auth_rejected');
      expect(everything).not.toContain(KEY.reveal());
    });

    test('a retry begins anew, in any status', async () => {
      await simulation().enrolMachines([HOST], { faults: [{ kind: 'unreachable', times: 3 }] });
      for (const status of ['investigating', 'disassociated', 'unreachable (unreachable)']) {
        if (status.startsWith('unreachable')) simulation().fleet.host(HOST).addFault({ kind: 'unreachable' });
        await simulation().until(HOST, status, 30 * MINUTE);
        await rebootstrapHost(simulation().ports, LOCAL_ACTOR, HOST);
        expect(await simulation().statusOf(HOST)).toBe('investigating');
        simulation().fleet.host(HOST).clearFaults();
        await simulation().until(HOST, 'disassociated');
      }
    });
  },
);
