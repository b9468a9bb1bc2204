// Long commands run as jobs. Each job runs once and its end is seen, even when connections break and servers
// die.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import { createOsRegistry, osDrivers } from '../../src/drivers/os/index.ts';
import type { EngineMetrics } from '../../src/engine/ports.ts';
import { parseStartArgv } from '../../src/procedures/jobs/start-script.ts';
import type { Fault } from '../../src/simulator/faults.ts';
import { withCommonCommands } from '../../src/simulator/os/os-simulators.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { toy } from '../example-drivers/toy-os.ts';
import { toyOsSimulator } from '../example-drivers/toy-os-simulator.ts';
import { CRASHES } from '../harness/faults.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';

const HOST = '127.0.0.1';
/** Longer than the wait of one poll. */
const DURATION_MS = 30_000;
/** Covers the end of the first job and the start of the second. */
const COMMITS = 12;

/** Number of runs of the long command, by host name. */
const runs = new Map<string, number>();
const slowToy: CommandSimulator = {
  ...toyOsSimulator,
  execute: (machine, argv, caller) => {
    const commandResult = toyOsSimulator.execute(machine, argv, caller);
    if (commandResult === undefined || argv[1] !== 'add') return commandResult;
    runs.set(machine.hostname, (runs.get(machine.hostname) ?? 0) + 1);
    return { ...commandResult, durationMs: DURATION_MS };
  },
};

/** Results of all ended jobs, as counted by the metrics. */
const results: string[] = [];
const noop = () => {};
const metrics: EngineMetrics = {
  ...{ runStarted: noop, runEnded: noop, claimLost: noop, runErrored: noop, leaseLost: noop },
  ...{ takeoverDone: noop, stepEnded: noop, checkEnded: noop, operationEnded: noop },
  jobEnded: result => void results.push(result),
};

const options = {
  metrics,
  per: 'test',
  kinds: SQLITE_UNLESS_LONG,
  drivers: {
    ...standardDrivers,
    os: createOsRegistry([...osDrivers, { ...toy, requiredPackages: ['etcd'] }]),
  },
  simulators: [withCommonCommands(slowToy)],
} as const;

describeSimulation('a long command', options, simulation => {
  const enrol = async (address: string, faults: readonly Fault[] = []) => {
    runs.delete(address);
    results.splice(0);
    await simulation().enrolHosts([address], { os: 'toyos', hostname: address, faults });
  };
  const isInstalling = () => (runs.get(HOST) ?? 0) > 0;
  /** Round and number of each started job, without duplicates. */
  const jobsOn = (address: string) => {
    const { journal } = simulation().fleet.host(address as Address);
    const names = journal.flatMap(({ argv }) => parseStartArgv(argv)?.name ?? []);
    return [...new Set(names.map(name => name.split('-').slice(-2).join('-')))];
  };

  test('is polled until it ends', async () => {
    await simulation().startServer();
    await enrol(HOST);
    await simulation().clock.advanceUntil(isInstalling, MINUTE);
    await simulation().clock.advance(DURATION_MS - 1000);
    expect(await simulation().describeStatus(HOST)).toBe('bootstrapping');
    await simulation().waitForStatus(HOST, 'disassociated', 2000);
    expect([
      runs.get(HOST),
      simulation()
        .fleet.host(HOST as Address)
        .machine.packages.has('etcd'),
      results,
    ]).toEqual([1, true, ['ok']]);
  });

  test.each<[string, Fault]>([
    ['before the host received it', { kind: 'cut', tookEffect: false, on: /toybox add/, times: 1 }],
    ['when it started', { kind: 'cut', tookEffect: true, on: /toybox add/, times: 1 }],
    ['during a poll', { kind: 'cut', tookEffect: true, on: /bootstrap-install-prerequisites-\S+ 0 20$/, times: 2 }],
    ['silently', { kind: 'frozen', on: /bootstrap-install-prerequisites-\S+ 0 20$/, times: 1 }],
  ])('runs once when the connection breaks %s', async (_case, fault) => {
    await simulation().startServer();
    await enrol(HOST, [fault]);
    await simulation().waitForStatus(HOST, 'disassociated');
    expect([runs.get(HOST), jobsOn(HOST), results]).toEqual([1, ['0-0'], ['ok']]);
  });

  test('runs again as another job when it failed', async () => {
    await simulation().startServer();
    await enrol(HOST, [{ kind: 'exit', exitCode: 100, stderr: 'no mirror\n', on: /toybox add/, times: 1 }]);
    await simulation().clock.advanceUntil(async () => {
      const [saved] = await simulation().store.reads.tasks.listSaved(HOST as Address);
      return saved?.state.problem === 'command_failed: toybox exited with 100: no mirror';
    }, MINUTE);
    await simulation().waitForStatus(HOST, 'disassociated');
    expect([runs.get(HOST), jobsOn(HOST), results]).toEqual([1, ['0-0', '1-0'], ['nonzero', 'ok']]);
  });

  test('runs again when the host rebooted before it ended', async () => {
    await simulation().startServer();
    await enrol(HOST);
    await simulation().clock.advanceUntil(isInstalling, MINUTE);
    simulation()
      .fleet.host(HOST as Address)
      .powerOff();
    simulation()
      .fleet.host(HOST as Address)
      .powerOn();
    await simulation().waitForStatus(HOST, 'disassociated');
    expect([runs.get(HOST), jobsOn(HOST)]).toEqual([2, ['0-0']]);
  });

  test('is polled by the next server after a server was killed', async () => {
    const { control } = await simulation().startServer();
    await enrol(HOST);
    await simulation().clock.advanceUntil(isInstalling, MINUTE);
    control.inject('kill_server');
    await simulation().startServer();
    await simulation().waitForStatus(HOST, 'disassociated');
    expect([runs.get(HOST), results]).toEqual([1, ['ok']]);
  });

  test.each(CRASHES)('is not repeated after the fault %s at any commit', async fault => {
    for (let commit = 1; commit <= COMMITS; commit += 1) {
      const address = `127.0.1.${commit}`;
      const { control } = await simulation().startServer({ atCommit: { commit, fault } });
      await enrol(address, [{ kind: 'exit', exitCode: 100, on: /toybox add/, times: 1 }]);
      await simulation().clock.advanceUntil(async () => control.isKilled, 2 * MINUTE);
      const next = await simulation().startServer();
      await simulation().waitForStatus(address, 'disassociated');
      next.control.inject('kill_server');
      expect([runs.get(address), jobsOn(address)], `at commit ${commit}`).toEqual([1, ['0-0', '1-0']]);
      // The end is counted once, even if the server saw it and could not save it.
      expect(results, `at commit ${commit}`).toEqual(['nonzero', 'ok']);
    }
  });
});
