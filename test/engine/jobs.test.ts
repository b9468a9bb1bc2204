// Commands that take long run as jobs: whatever becomes of connections and servers, each is run once, and its end is not missed.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import { createOsRegistry, osDrivers } from '../../src/drivers/os/index.ts';
import type { EngineMetrics } from '../../src/engine/ports.ts';
import { parseStartArgv } from '../../src/procedures/jobs/start-script.ts';
import type { Fault } from '../../src/simulator/faults.ts';
import { withCommonCommands } from '../../src/simulator/os/os-simulators.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { simulateOnEachStore } from '../harness/simulation/on-each-store.ts';
import { MINUTE } from '../harness/simulation/world-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';
import { toyFake } from '../toy-os/fake.ts';
import { toy } from '../toy-os/toy.ts';

const HOST = '127.0.0.1';
/** More than one look waits for. */
const TOOK_MS = 30_000;
/** Enough to be past the first end of the command, and the beginning of the second. */
const COMMITS = 12;

/** How often the command that takes long was run on each host, by name. */
const runs = new Map<string, number>();
const slowToy: CommandSimulator = {
  ...toyFake,
  execute: (machine, argv, caller) => {
    const answer = toyFake.execute(machine, argv, caller);
    if (answer === undefined || argv[1] !== 'add') return answer;
    runs.set(machine.hostname, (runs.get(machine.hostname) ?? 0) + 1);
    return { ...answer, durationMs: TOOK_MS };
  },
};

/** How the jobs of all hosts ended, as it was counted. */
const ends: string[] = [];
const nothing = () => {};
const metrics: EngineMetrics = {
  ...{ runStarted: nothing, runEnded: nothing, claimLost: nothing, runErrored: nothing, leaseLost: nothing },
  ...{ takeoverDone: nothing, stepEnded: nothing, checkEnded: nothing, operationEnded: nothing },
  jobEnded: result => void ends.push(result),
};

const options = {
  metrics,
  per: 'test',
  kinds: SQLITE_UNLESS_LONG,
  drivers: {
    ...standardDrivers,
    os: createOsRegistry([...osDrivers, { ...toy, requiredPackages: ['etcd'] }]),
  },
  fakes: [withCommonCommands(slowToy)],
} as const;

simulateOnEachStore('a command that takes long', options, simulation => {
  const enrol = async (address: string, faults: readonly Fault[] = []) => {
    runs.delete(address);
    ends.splice(0);
    await simulation().enrolMachines([address], { os: 'toyos', hostname: address, faults });
  };
  const isInstalling = () => (runs.get(HOST) ?? 0) > 0;
  /** The round and the number of each job that was started, once. */
  const jobsOn = (address: string) => {
    const { journal } = simulation().fleet.host(address as Address);
    const names = journal.flatMap(({ argv }) => parseStartArgv(argv)?.name ?? []);
    return [...new Set(names.map(name => name.split('-').slice(-2).join('-')))];
  };

  test('is waited for', async () => {
    await simulation().startServer();
    await enrol(HOST);
    await simulation().clock.advanceUntil(isInstalling, MINUTE);
    await simulation().clock.advance(TOOK_MS - 1000);
    expect(await simulation().statusOf(HOST)).toBe('bootstrapping');
    await simulation().until(HOST, 'disassociated', 2000);
    expect([
      runs.get(HOST),
      simulation()
        .fleet.host(HOST as Address)
        .machine.packages.has('etcd'),
      ends,
    ]).toEqual([1, true, ['ok']]);
  });

  test.each<[string, Fault]>([
    ['before the host got it', { kind: 'cut', tookEffect: false, on: /toybox add/, times: 1 }],
    ['as it began', { kind: 'cut', tookEffect: true, on: /toybox add/, times: 1 }],
    [
      'while it was waited for',
      { kind: 'cut', tookEffect: true, on: /bootstrap-install-prerequisites-\S+ 0 20$/, times: 2 },
    ],
    ['without a word', { kind: 'frozen', on: /bootstrap-install-prerequisites-\S+ 0 20$/, times: 1 }],
  ])('is run once when the connection breaks %s', async (_what, fault) => {
    await simulation().startServer();
    await enrol(HOST, [fault]);
    await simulation().until(HOST, 'disassociated');
    expect([runs.get(HOST), jobsOn(HOST), ends]).toEqual([1, ['0-0'], ['ok']]);
  });

  test('is run again, as another job, when it ended badly', async () => {
    await simulation().startServer();
    await enrol(HOST, [{ kind: 'exit', exitCode: 100, stderr: 'no mirror\n', on: /toybox add/, times: 1 }]);
    await simulation().clock.advanceUntil(async () => {
      const [saved] = await simulation().store.reads.tasks.listSaved(HOST as Address);
      return saved?.state.problem === 'command_failed: toybox exited with 100: no mirror';
    }, MINUTE);
    await simulation().until(HOST, 'disassociated');
    expect([runs.get(HOST), jobsOn(HOST), ends]).toEqual([1, ['0-0', '1-0'], ['nonzero', 'ok']]);
  });

  test('is run again when the host was booted in the middle', async () => {
    await simulation().startServer();
    await enrol(HOST);
    await simulation().clock.advanceUntil(isInstalling, MINUTE);
    simulation()
      .fleet.host(HOST as Address)
      .powerOff();
    simulation()
      .fleet.host(HOST as Address)
      .powerOn();
    await simulation().until(HOST, 'disassociated');
    expect([runs.get(HOST), jobsOn(HOST)]).toEqual([2, ['0-0']]);
  });

  test('is waited for by whoever comes after a server that died meanwhile', async () => {
    const { control } = await simulation().startServer();
    await enrol(HOST);
    await simulation().clock.advanceUntil(isInstalling, MINUTE);
    control.kill();
    await simulation().startServer();
    await simulation().until(HOST, 'disassociated');
    expect([runs.get(HOST), ends]).toEqual([1, ['ok']]);
  });

  test.each(['before', 'after'] as const)(
    'is repeated by nobody when a server dies just %s a commit',
    async when => {
      for (let commit = 1; commit <= COMMITS; commit += 1) {
        const address = `127.0.1.${commit}`;
        const { control } = await simulation().startServer({ crash: { commit, when } });
        await enrol(address, [{ kind: 'exit', exitCode: 100, on: /toybox add/, times: 1 }]);
        await simulation().clock.advanceUntil(async () => control.isDead, 2 * MINUTE);
        const next = await simulation().startServer();
        await simulation().until(address, 'disassociated');
        next.control.kill();
        expect([runs.get(address), jobsOn(address)], `at commit ${commit}`).toEqual([1, ['0-0', '1-0']]);
        // That the server saw the end and could not save it makes no other end of it.
        expect(ends, `at commit ${commit}`).toEqual(['nonzero', 'ok']);
      }
    },
  );
});
