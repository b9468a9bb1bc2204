import { Authenticator } from '../../app/auth/authenticator.ts';
import { LoginCache } from '../../app/auth/login-cache.ts';
import type { PasswordHasher } from '../../app/auth/password-hasher.ts';
import { SessionAuthenticator } from '../../app/auth/session-authenticator.ts';
import type { RejectionRecorder } from '../../app/events/rejection-recorder.ts';
import type { Ports } from '../../app/ports.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { LogTail } from '../../events/log-tail.ts';
import { onAccountChanges, onSessionEnds } from '../../events/log-tail.ts';
import type { Config } from '../configuration/settings.ts';
import type { LoginMetrics } from '../metrics/http-metrics.ts';

interface AuthenticationPorts extends Pick<Ports, 'store' | 'clock'> {
  readonly hasher: PasswordHasher;
  readonly rejections: RejectionRecorder;
  readonly tail: LogTail;
  readonly metrics: LoginMetrics;
}

/** Starts the authenticators. Their cache drops entries when an account changes or a session ends on any server. */
export async function startAuthentication(
  config: Config,
  { store, clock, hasher: plainHasher, rejections, tail, metrics }: AuthenticationPorts,
) {
  const hasher = metrics.measuredHasher(plainHasher);
  const cache = new LoginCache(clock);
  const authenticator = await Authenticator.create({
    cache,
    store,
    hasher,
    clock,
    failedLoginsPerMinute: config.limit_failed_logins,
    recordRejectedLogin: rejection => {
      metrics.loginRejected(rejection.code);
      rejections.recordRejectedLogin(rejection);
    },
  });
  const sessionAuthenticator = new SessionAuthenticator({ store, cache });
  const sessionsChanged = () => cache.invalidateSessions();
  const invalidateAccount = (name: RecordName) => cache.invalidateAccount(name);
  tail.subscribe(onAccountChanges(invalidateAccount));
  tail.subscribe(onSessionEnds(sessionsChanged));
  const sessions = { lifetimeS: config.session_lifetime_s, invalidate: sessionsChanged };
  return { authenticator, sessionAuthenticator, ports: { hasher, invalidateAccount, sessions } };
}
