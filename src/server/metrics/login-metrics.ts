import type { PasswordHasher } from '../../app/accounts/password-hasher.ts';
import { AppError } from '../../domain/errors.ts';
import { stopwatch } from '../../lib/time/stopwatch.ts';
import { counter, gauge, histogram, SHORT_S } from './metric.ts';
import type { Registry } from './registry.ts';

export const LOGIN_METRICS = {
  refused: counter('hostler_logins_failed_total', 'Rejected logins with a password or token.', {
    code: ['unauthorized', 'too_many_failed_logins'],
  }),
  pending: gauge('hostler_password_hashes_pending', 'Password hashes in progress or in the queue.'),
  rejected: counter(
    'hostler_password_hashes_rejected_total',
    'Password hashes that were rejected because the queue was full.',
  ),
  duration: histogram(
    'hostler_password_hash_duration_seconds',
    'Duration of password hashes, including the time in the queue.',
    SHORT_S,
  ),
};

export interface LoginMeter {
  loginRefused(code: string): void;
  /** Wraps a hasher and measures its calls. */
  measuredHasher(hasher: PasswordHasher): PasswordHasher;
}

export function loginMeter(registry: Registry): LoginMeter {
  const refused = registry.counter(LOGIN_METRICS.refused);
  const pending = registry.gauge(LOGIN_METRICS.pending);
  const rejected = registry.counter(LOGIN_METRICS.rejected);
  const duration = registry.histogram(LOGIN_METRICS.duration);
  pending.set(0);
  const measured = async <Answer>(compute: () => Promise<Answer | AppError>) => {
    const seconds = stopwatch();
    pending.add(1);
    try {
      const answer = await compute();
      if (answer instanceof AppError) rejected.add(1);
      else duration.observe(seconds());
      return answer;
    } finally {
      pending.add(-1);
    }
  };
  return {
    loginRefused: code => refused.add(1, code),
    measuredHasher: hasher => ({
      hash: password => measured(() => hasher.hash(password)),
      verify: (passwordHash, password, caller) =>
        measured(() => hasher.verify(passwordHash, password, caller)),
    }),
  };
}
