import { isOfOneHost } from '../client/is-of-one-host.ts';
import { plural } from '../lib/text/plural.ts';
import { EXIT } from '../program/exit-codes.ts';
import { CliProblem } from './cli-problem.ts';
import { explain } from './explain.ts';
import type { Session } from './session.ts';

interface Done {
  readonly sentence: string;
  /** As the service answered; where it answers no record, the address. */
  readonly value: unknown;
}

interface DoneTo extends Done {
  readonly name: string;
}

/** Does the same to hosts, one after the other. What is refused for one keeps no other from it. Programs get a list, also of one. */
export async function eachHost(
  { print, terminal }: Session,
  addresses: readonly string[],
  work: (address: string) => Promise<Done>,
): Promise<void> {
  const done: DoneTo[] = [];
  for (const address of addresses) {
    try {
      const one = { ...(await work(address)), name: address };
      done.push(one);
      if (print.isForPeople) await print.done(one.sentence, one);
    } catch (error) {
      // A single error is printed as for other commands.
      if (!isOfOneHost(error) || addresses.length === 1) throw error;
      terminal.tell(`hostler: ${address}: ${explain(error).lines.join('\n')}\n`);
    }
  }
  if (!print.isForPeople) await print.each(done);
  const refused = addresses.length - done.length;
  if (refused > 0)
    throw new CliProblem(EXIT.refused, `failed for ${refused} of ${plural(addresses.length, 'host')}`);
}
