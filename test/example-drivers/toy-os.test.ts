import { describe, expect, test } from 'vitest';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import { createOsRegistry, osDrivers } from '../../src/drivers/os/index.ts';
import { withCommonCommands } from '../../src/simulator/os/os-simulators.ts';
import { osConforms } from '../conformance/os.ts';
import { FixtureMachine, ROOT } from '../harness/simulation/fixture-machine.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { toy } from './toy-os.ts';
import { toyOsSimulator } from './toy-os-simulator.ts';

const drivers = [...osDrivers, toy];

osConforms(toy, toyOsSimulator, { drivers });

describe('a new operating system', () => {
  const template = toyOsSimulator.templates['toyos'];
  const osOf = (registered: typeof drivers) => {
    const { facts } = createOsRegistry(registered);
    const machine = template && new FixtureMachine(template);
    const result = machine && withCommonCommands(toyOsSimulator).execute(machine, facts.argv, ROOT);
    const found = result && facts.parse(result);
    return [found?.os, found?.osDriver];
  };

  test('is detected when its driver is in the list', () => {
    expect(osOf(drivers)).toEqual(['toyos', 'toy']);
    expect(osOf([...osDrivers])).toEqual(['other', '']);
  });

  test('adds one name to the supported operating systems', () => {
    const { osNames } = createOsRegistry(drivers);
    expect(osNames.filter(system => !createOsRegistry().osNames.includes(system))).toEqual(['toyos']);
  });

  test('is bootstrapped like any other', async () => {
    const { simulation, end } = await simulate('sqlite', {
      drivers: {
        ...standardDrivers,
        os: createOsRegistry([...osDrivers, { ...toy, requiredPackages: ['etcd'] }]),
      },
      simulators: [withCommonCommands(toyOsSimulator)],
    });
    try {
      await simulation.startServer();
      await simulation.enrolHosts(['127.0.0.1'], { os: 'toyos' });
      await simulation.waitForStatus('127.0.0.1', 'disassociated');
      expect(await simulation.host('127.0.0.1')).toMatchObject({ os: 'toyos', osDriver: 'toy' });
      expect(simulation.commandsRunOn('127.0.0.1')).toEqual([
        'facts',
        'id -u',
        'job: toybox add --yes etcd',
        'poll a job',
      ]);
    } finally {
      await end();
    }
  });
});
