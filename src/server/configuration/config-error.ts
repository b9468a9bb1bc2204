import { LastingError } from '../../lib/errors/lasting-error.ts';

/** Settings are invalid. */
export class ConfigError extends LastingError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid configuration:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
