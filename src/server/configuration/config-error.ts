import { LastingError } from '../../lib/errors/lasting-error.ts';

/** The settings themselves are wrong. */
export class ConfigError extends LastingError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
