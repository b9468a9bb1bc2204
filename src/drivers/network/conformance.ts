// What must hold for every network: each call may be repeated, what varies is never part of a script, and leaving undoes what entering
// did and nothing else. What hosts have to do is done, on a host that the lab makes.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { Argv, Ran } from '../../domain/command.ts';
import type { HostTask } from '../host-task.ts';
import type { Network } from './network.ts';

/** A host that does what it is told. */
export interface LabHost {
  run(argv: Argv, input?: string): Ran;
  /** All that is on it. */
  tree(): Readonly<Record<string, string>>;
  /** How often a service was started. */
  starts(): number;
}

export interface NetworkLab {
  /** A network that hosts can enter. */
  open(): Network | Promise<Network>;
  /** A host as it is before it enters. */
  onHost(use: (host: LabHost) => void): void;
}

const host = (text: string) => ({ address: parseAddress(text) ?? ('' as Address), hostname: `host-${text}` });
const [ONE, OTHER, V6] = [host('127.0.0.1'), host('127.0.0.2'), host('::1')];

const scriptsOf = (task: HostTask | null): readonly string[] =>
  (task?.commands ?? []).map(({ argv: [program, flag, script] }) =>
    program === 'sh' && flag === '-c' && script !== undefined ? script : '',
  );

function carriedOut(lab: LabHost, task: HostTask | null, commands = task?.commands ?? []): void {
  for (const { argv, input } of commands) {
    const { exitCode, stderr } = lab.run(argv, input?.reveal());
    expect([exitCode, Buffer.from(stderr).toString()]).toEqual([0, '']);
  }
}

const missingOn = (lab: LabHost, task: HostTask | null): string | undefined =>
  task?.proof === undefined ? '' : task.proof.read(lab.run(task.proof.argv));

export function networkConforms(type: string, { open, onHost }: NetworkLab): void {
  const tasks = async (of = ONE) => {
    const network = await open();
    return { enter: await network.joinTask(of), leave: await network.leaveTask(of) };
  };

  describe(`the network ${type}`, () => {
    test('finds nothing wrong when it is asked whether all is well', async () => {
      expect(await (await open()).check()).toEqual({ version: expect.any(String), problems: [] });
    });

    test('is prepared twice as it is once', async () => {
      const network = await open();
      expect([await network.prepare(), await network.prepare()]).toEqual([undefined, undefined]);
    });

    test('forgets a host that it never had', async () => {
      const network = await open();
      for (const { address } of [ONE, ONE, V6]) await network.forget(address);
    });

    test('says the same scripts for all hosts, and what varies in arguments of its own', async () => {
      const [one, other] = [await tasks(ONE), await tasks(OTHER)];
      for (const side of ['enter', 'leave'] as const) {
        expect(scriptsOf(one[side])).toEqual(scriptsOf(other[side]));
        expect(scriptsOf(one[side]).every(script => script !== '')).toBe(true);
      }
    });

    test('shows what a host is given to read to nobody else', async () => {
      const { enter } = await tasks();
      const words = (enter?.commands ?? []).flatMap(({ argv }) => argv).join('\n');
      for (const { input } of enter?.commands ?? [])
        if (input) expect(words).not.toContain(input.reveal().trim());
    });

    test.each([ONE, V6])('takes $address in, once, and proves it', async newcomer => {
      const { enter } = await tasks(newcomer);
      onHost(lab => {
        carriedOut(lab, enter);
        const [tree, starts] = [lab.tree(), lab.starts()];
        expect(missingOn(lab, enter)).toBe('');
        carriedOut(lab, enter);
        expect([lab.tree(), lab.starts(), missingOn(lab, enter)]).toEqual([tree, starts, '']);
        expect(starts).toBe((enter?.commands.length ?? 0) > 0 ? 1 : 0);
      });
    });

    test('leaves nothing behind that it made, and takes nothing else', async () => {
      const { enter, leave } = await tasks();
      onHost(lab => {
        const before = lab.tree();
        carriedOut(lab, enter);
        carriedOut(lab, leave);
        expect(lab.tree()).toEqual(before);
        carriedOut(lab, leave);
        expect(lab.tree()).toEqual(before);
      });
    });

    test('leaves a host alone that never entered', async () => {
      const { leave } = await tasks();
      onHost(lab => {
        const before = lab.tree();
        carriedOut(lab, leave);
        expect(lab.tree()).toEqual(before);
      });
    });

    test('undoes an entering that was broken off', async () => {
      const { enter, leave } = await tasks();
      onHost(lab => {
        const before = lab.tree();
        carriedOut(lab, enter, enter?.commands.slice(0, -1));
        carriedOut(lab, leave);
        expect(lab.tree()).toEqual(before);
      });
    });

    test('takes a host back that has left', async () => {
      const { enter, leave } = await tasks();
      onHost(lab => {
        for (const task of [enter, leave, enter]) carriedOut(lab, task);
        expect(missingOn(lab, enter)).toBe('');
      });
    });
  });
}
