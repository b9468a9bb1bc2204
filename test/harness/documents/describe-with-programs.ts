import { describeUnless } from '../describe-unless.ts';
import { missingPrograms } from '../programs/missing-programs.ts';

/** As `describe`; where a reader would have to install something first, it says so and leaves the tests out. */
export function describeWithPrograms(name: string, lines: readonly string[], tests: () => void): void {
  const missing = missingPrograms(lines);
  const reason = missing.length > 0 ? `there is no ${missing.join(', no ')}` : undefined;
  describeUnless(reason, 'something that documents use cannot be had', name, tests);
}
