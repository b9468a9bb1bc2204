import { usageProblem } from '../cli-problem.ts';

const CONTEXT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:@[\]-]{0,127}$/;

/** What can be typed without quotes, and looks like nothing else. */
export function requireContextName(name: string): void {
  if (!CONTEXT_NAME.test(name))
    throw usageProblem(`invalid context name "${name}": use letters, digits and . _ : @ -`);
}
