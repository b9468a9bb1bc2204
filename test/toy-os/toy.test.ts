import { describe, expect, test } from 'vitest';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import { osConforms } from '../../src/drivers/os/conformance.ts';
import { onAnySystem } from '../../src/drivers/os/fake-system.ts';
import { createOsRegistry, osDrivers } from '../../src/drivers/os/index.ts';
import { PretendMachine, ROOT } from '../../src/drivers/pretend-machine.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { toyFake } from './fake.ts';
import { toy } from './toy.ts';

const drivers = [...osDrivers, toy];

osConforms(toy, toyFake, { drivers });

describe('a system that nobody knew before', () => {
  const blueprint = toyFake.blueprints['toyos'];
  const osOf = (known: typeof drivers) => {
    const { facts } = createOsRegistry(known);
    const machine = blueprint && new PretendMachine(blueprint);
    const ran = machine && onAnySystem(toyFake).answer(machine, facts.argv, ROOT);
    const found = ran && facts.read(ran);
    return [found?.os, found?.osDriver];
  };

  test('is recognised once its driver is in the list', () => {
    expect(osOf(drivers)).toEqual(['toyos', 'toy']);
    expect(osOf([...osDrivers])).toEqual(['other', '']);
  });

  test('is one more system that a host can have', () => {
    const { systems } = createOsRegistry(drivers);
    expect(systems.filter(system => !createOsRegistry().systems.includes(system))).toEqual(['toyos']);
  });

  test('is bootstrapped like any other', async () => {
    const { simulation, end } = await simulate('sqlite', {
      drivers: {
        ...standardDrivers,
        os: createOsRegistry([...osDrivers, { ...toy, ownPackages: ['etcd'] }]),
      },
      fakes: [onAnySystem(toyFake)],
    });
    try {
      await simulation.startServer();
      await simulation.enrolMachines(['127.0.0.1'], { os: 'toyos' });
      await simulation.until('127.0.0.1', 'disassociated');
      expect(await simulation.host('127.0.0.1')).toMatchObject({ os: 'toyos', osDriver: 'toy' });
      expect(simulation.commandsOn('127.0.0.1')).toEqual([
        'facts',
        'id -u',
        'job: toybox add --yes etcd',
        'look at a job',
      ]);
    } finally {
      await end();
    }
  });
});
