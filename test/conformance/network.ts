// Conformance suite for networks: all calls are idempotent, scripts contain no variable values, and leaving reverts
// exactly what joining did. The plans run on a host of the fixture.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import type { Argv, CommandResult } from '../../src/domain/command.ts';
import type { CommandPlan } from '../../src/drivers/command-plan.ts';
import type { Network } from '../../src/drivers/network/network.ts';

export interface FixtureHost {
  run(argv: Argv, input?: string): CommandResult;
  tree(): Readonly<Record<string, string>>;
  starts(): number;
}

export interface NetworkFixture {
  open(): Network | Promise<Network>;
  onHost(use: (host: FixtureHost) => void): void;
}

const hostRef = (text: string) => ({
  address: parseAddress(text) ?? ('' as Address),
  hostname: `host-${text}`,
});
const [HOST, OTHER, V6] = [hostRef('127.0.0.1'), hostRef('127.0.0.2'), hostRef('::1')];

const scriptsIn = (plan: CommandPlan | null): readonly string[] =>
  (plan?.commands ?? []).map(({ argv: [program, flag, script] }) =>
    program === 'sh' && flag === '-c' && script !== undefined ? script : '',
  );

function runPlan(host: FixtureHost, plan: CommandPlan | null, commands = plan?.commands ?? []): void {
  for (const { argv, input } of commands) {
    const { exitCode, stderr } = host.run(argv, input?.reveal());
    expect([exitCode, Buffer.from(stderr).toString()]).toEqual([0, '']);
  }
}

const readMissing = (host: FixtureHost, plan: CommandPlan | null): string | undefined =>
  plan?.readyQuery === undefined ? '' : plan.readyQuery.parse(host.run(plan.readyQuery.argv));

export function networkConforms(type: string, { open, onHost }: NetworkFixture): void {
  const plans = async (host = HOST) => {
    const network = await open();
    return { join: await network.joinPlan(host), leave: await network.leavePlan(host) };
  };

  describe(`network ${type}`, () => {
    test('reports no problems in the connection check', async () => {
      expect(await (await open()).checkConnection()).toEqual({ version: expect.any(String), problems: [] });
    });

    test('can be configured twice', async () => {
      const network = await open();
      expect([await network.ensureConfigured(), await network.ensureConfigured()]).toEqual([undefined, undefined]);
    });

    test('accepts the release of an unknown host', async () => {
      const network = await open();
      for (const { address } of [HOST, HOST, V6]) await network.releaseHost(address);
    });

    test('uses the same scripts for all hosts and passes values as arguments', async () => {
      const [first, second] = [await plans(HOST), await plans(OTHER)];
      for (const direction of ['join', 'leave'] as const) {
        expect(scriptsIn(first[direction])).toEqual(scriptsIn(second[direction]));
        expect(scriptsIn(first[direction]).every(script => script !== '')).toBe(true);
      }
    });

    test('does not put the input of a command into arguments', async () => {
      const { join } = await plans();
      const argumentText = (join?.commands ?? []).flatMap(({ argv }) => argv).join('\n');
      for (const { input } of join?.commands ?? [])
        if (input) expect(argumentText).not.toContain(input.reveal().trim());
    });

    test.each([HOST, V6])('joins $address once and confirms it with the ready query', async host => {
      const { join } = await plans(host);
      onHost(machine => {
        runPlan(machine, join);
        const [tree, starts] = [machine.tree(), machine.starts()];
        expect(readMissing(machine, join)).toBe('');
        runPlan(machine, join);
        expect([machine.tree(), machine.starts(), readMissing(machine, join)]).toEqual([tree, starts, '']);
        expect(starts).toBe((join?.commands.length ?? 0) > 0 ? 1 : 0);
      });
    });

    test('reverts exactly what the join did when the host leaves', async () => {
      const { join, leave } = await plans();
      onHost(machine => {
        const before = machine.tree();
        runPlan(machine, join);
        runPlan(machine, leave);
        expect(machine.tree()).toEqual(before);
        runPlan(machine, leave);
        expect(machine.tree()).toEqual(before);
      });
    });

    test('does not change a host that leaves without having joined', async () => {
      const { leave } = await plans();
      onHost(machine => {
        const before = machine.tree();
        runPlan(machine, leave);
        expect(machine.tree()).toEqual(before);
      });
    });

    test('reverts an interrupted join', async () => {
      const { join, leave } = await plans();
      onHost(machine => {
        const before = machine.tree();
        runPlan(machine, join, join?.commands.slice(0, -1));
        runPlan(machine, leave);
        expect(machine.tree()).toEqual(before);
      });
    });

    test('joins a host again after it has left', async () => {
      const { join, leave } = await plans();
      onHost(machine => {
        for (const plan of [join, leave, join]) runPlan(machine, plan);
        expect(readMissing(machine, join)).toBe('');
      });
    });
  });
}
