import { RequestRefused } from '../../client/client.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem, usageProblem } from '../cli-problem.ts';
import type { Session } from '../session.ts';

const noHostler = (url: string) =>
  usageProblem(`${url} is not a Hostler server. A server URL looks like https://hostler.example:8000`);

/** The role that an account has at a server; throws where the password is wrong, or nobody answers. */
export async function verifyAccount({ client, context }: Pick<Session, 'client' | 'context'>): Promise<Role> {
  const { servers, user } = context;
  try {
    const { role } = (await client.getOwnAccount()).body;
    if (role === undefined) throw noHostler(servers[0]);
    return role;
  } catch (error) {
    if (error instanceof SyntaxError) throw noHostler(servers[0]);
    if (!(error instanceof RequestRefused)) throw error;
    const { code, detail } = error.problem;
    // Who may only enrol hosts may not even read this, but is told so only after the password was found right.
    if (code === 'forbidden') return 'enrol';
    if (code === 'not_hostler') throw noHostler(servers[0]);
    if (code !== 'unauthorized') throw error;
    throw new CliProblem(
      EXIT.refused,
      `login to ${servers[0]} as ${user} failed: ${harmless(detail)}. Nothing was stored`,
    );
  }
}
