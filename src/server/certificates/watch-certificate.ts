import { setInterval } from 'node:timers/promises';
import { messageOf } from '../../lib/errors/message-of.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/day.ts';
import type { Certificate, CertificateFiles } from './certificate-files.ts';

const LOOK_EVERY_MS = 2000;
/** How long before a certificate expires somebody is told. */
export const WARN_DAYS = 14;

type WarningLog = Pick<Log, 'info' | 'warn'>;

function warnOfExpiry({ validTo }: Certificate, clock: Clock, log: WarningLog): void {
  const leftMs = validTo.getTime() - clock.now();
  if (leftMs <= 0) log.warn({ validTo }, 'TLS certificate has expired');
  else if (leftMs <= WARN_DAYS * DAY_MS)
    log.warn({ validTo }, `TLS certificate expires within ${WARN_DAYS} days`);
}

interface Watch {
  readonly files: CertificateFiles;
  /** Takes a new one into use. */
  readonly renew: (certificate: Certificate) => void;
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly everyMs?: number;
}

/** The new certificate, if it can be used. */
async function renewFrom({ files, renew, clock, log }: Watch): Promise<Certificate | undefined> {
  try {
    const certificate = await files.read();
    renew(certificate);
    log.info({ validTo: certificate.validTo }, 'TLS certificate reloaded');
    warnOfExpiry(certificate, clock, log);
    return certificate;
  } catch (error) {
    log.warn({ problem: messageOf(error) }, 'new TLS certificate is invalid; keeping the current one');
    return undefined;
  }
}

/**
 * Takes a new certificate into use when its files change, and warns each day of one that expires. The files are looked at again and again:
 * one that is exchanged through a symbolic link, or on a network's disk, would tell nobody. Answers what stops it.
 */
export function watchCertificate(current: Certificate, watch: Watch): () => Promise<void> {
  warnOfExpiry(current, watch.clock, watch.log);
  const stopping = new AbortController();
  const { signal } = stopping;
  const watching = (async () => {
    let [certificate, warnedAtMs] = [current, watch.clock.monotonicMs()];
    for await (const _ of setInterval(watch.everyMs ?? LOOK_EVERY_MS, undefined, { ref: false, signal })) {
      if (await watch.files.haveChanged()) certificate = (await renewFrom(watch)) ?? certificate;
      if (watch.clock.monotonicMs() - warnedAtMs < DAY_MS) continue;
      warnedAtMs = watch.clock.monotonicMs();
      warnOfExpiry(certificate, watch.clock, watch.log);
    }
  })();
  // The interval ends with the exception that it was stopped, and nothing else throws.
  const ended = watching.catch(() => {});
  return async () => {
    stopping.abort();
    await ended;
  };
}
