// What must hold for every network: each call may be repeated, what varies is never part of a script, and leaving undoes what entering
// did and nothing else. What hosts have to do is done, on a host that the lab makes.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { Argv, CommandResult } from '../../domain/command.ts';
import type { CommandPlan } from '../command-plan.ts';
import type { Network } from './network.ts';

/** A host that does what it is told. */
export interface FixtureHost {
  run(argv: Argv, input?: string): CommandResult;
  /** All that is on it. */
  tree(): Readonly<Record<string, string>>;
  /** How often a service was started. */
  starts(): number;
}

export interface NetworkFixture {
  /** A network that hosts can enter. */
  open(): Network | Promise<Network>;
  /** A host as it is before it enters. */
  onHost(use: (host: FixtureHost) => void): void;
}

const hostRef = (text: string) => ({
  address: parseAddress(text) ?? ('' as Address),
  hostname: `host-${text}`,
});
const [ONE, OTHER, V6] = [hostRef('127.0.0.1'), hostRef('127.0.0.2'), hostRef('::1')];

const scriptsIn = (plan: CommandPlan | null): readonly string[] =>
  (plan?.commands ?? []).map(({ argv: [program, flag, script] }) =>
    program === 'sh' && flag === '-c' && script !== undefined ? script : '',
  );

function runPlan(fixture: FixtureHost, plan: CommandPlan | null, commands = plan?.commands ?? []): void {
  for (const { argv, input } of commands) {
    const { exitCode, stderr } = fixture.run(argv, input?.reveal());
    expect([exitCode, Buffer.from(stderr).toString()]).toEqual([0, '']);
  }
}

const readMissing = (fixture: FixtureHost, plan: CommandPlan | null): string | undefined =>
  plan?.readyQuery === undefined ? '' : plan.readyQuery.parse(fixture.run(plan.readyQuery.argv));

export function networkConforms(type: string, { open, onHost }: NetworkFixture): void {
  const plans = async (of = ONE) => {
    const network = await open();
    return { join: await network.joinPlan(of), leave: await network.leavePlan(of) };
  };

  describe(`the network ${type}`, () => {
    test('finds nothing wrong when it is asked whether all is well', async () => {
      expect(await (await open()).checkConnection()).toEqual({ version: expect.any(String), problems: [] });
    });

    test('is prepared twice as it is once', async () => {
      const network = await open();
      expect([await network.ensureConfigured(), await network.ensureConfigured()]).toEqual([
        undefined,
        undefined,
      ]);
    });

    test('forgets a host that it never had', async () => {
      const network = await open();
      for (const { address } of [ONE, ONE, V6]) await network.releaseHost(address);
    });

    test('says the same scripts for all hosts, and what varies in arguments of its own', async () => {
      const [one, other] = [await plans(ONE), await plans(OTHER)];
      for (const side of ['join', 'leave'] as const) {
        expect(scriptsIn(one[side])).toEqual(scriptsIn(other[side]));
        expect(scriptsIn(one[side]).every(script => script !== '')).toBe(true);
      }
    });

    test('shows what a host is given to read to nobody else', async () => {
      const { join } = await plans();
      const words = (join?.commands ?? []).flatMap(({ argv }) => argv).join('\n');
      for (const { input } of join?.commands ?? [])
        if (input) expect(words).not.toContain(input.reveal().trim());
    });

    test.each([ONE, V6])('takes $address in, once, and proves it', async joining => {
      const { join } = await plans(joining);
      onHost(fixture => {
        runPlan(fixture, join);
        const [tree, starts] = [fixture.tree(), fixture.starts()];
        expect(readMissing(fixture, join)).toBe('');
        runPlan(fixture, join);
        expect([fixture.tree(), fixture.starts(), readMissing(fixture, join)]).toEqual([tree, starts, '']);
        expect(starts).toBe((join?.commands.length ?? 0) > 0 ? 1 : 0);
      });
    });

    test('leaves nothing behind that it made, and takes nothing else', async () => {
      const { join, leave } = await plans();
      onHost(fixture => {
        const before = fixture.tree();
        runPlan(fixture, join);
        runPlan(fixture, leave);
        expect(fixture.tree()).toEqual(before);
        runPlan(fixture, leave);
        expect(fixture.tree()).toEqual(before);
      });
    });

    test('leaves a host alone that never entered', async () => {
      const { leave } = await plans();
      onHost(fixture => {
        const before = fixture.tree();
        runPlan(fixture, leave);
        expect(fixture.tree()).toEqual(before);
      });
    });

    test('undoes an entering that was broken off', async () => {
      const { join, leave } = await plans();
      onHost(fixture => {
        const before = fixture.tree();
        runPlan(fixture, join, join?.commands.slice(0, -1));
        runPlan(fixture, leave);
        expect(fixture.tree()).toEqual(before);
      });
    });

    test('takes a host back that has left', async () => {
      const { join, leave } = await plans();
      onHost(fixture => {
        for (const plan of [join, leave, join]) runPlan(fixture, plan);
        expect(readMissing(fixture, join)).toBe('');
      });
    });
  });
}
