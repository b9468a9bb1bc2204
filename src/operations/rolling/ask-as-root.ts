import type { Question } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { OnScriptError } from '../outcomes.ts';
import { afterFailure, again, failOnScriptError } from '../outcomes.ts';
import { ScriptError } from '../script-error.ts';
import type { HostLink, Outcome } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';

/** What the host answers, or what follows for the step when it does not. */
type Asked<T> = { readonly answer: T } | { readonly outcome: Outcome };

export const AS_ROOT = { timeoutMs: ASK_TIMEOUT_MS, asRoot: true };

/** Asks something of a host that it answers to root. `about` says what makes no sense, where its answer does not. */
export async function askAsRoot<T>(
  link: HostLink,
  question: Question<T | ScriptError>,
  about: string,
  onFailure: (failure: TransportFailure) => Outcome = afterFailure,
  onScriptError: OnScriptError = failOnScriptError,
): Promise<Asked<T>> {
  const answer = await link.ask(question, AS_ROOT);
  if (answer instanceof TransportFailure) return { outcome: onFailure(answer) };
  if (answer instanceof ScriptError) return { outcome: onScriptError(answer) };
  return answer === undefined ? { outcome: again(`unexpected_output: cannot parse ${about}`) } : { answer };
}

export const OF_ITS_REBOOT = 'the reboot state of the host';
export const OF_ITS_VERSIONS = 'the versions of the host';

export const askRebootNeed = (link: HostLink, { rebootNeed }: OsDriver): Promise<Asked<boolean>> =>
  askAsRoot(link, rebootNeed, 'the result of the reboot check');
