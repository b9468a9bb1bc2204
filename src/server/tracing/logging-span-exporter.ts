import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { errorCode } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';

const LOG_INTERVAL_MS = 60_000;

/** Logs once when the export starts to fail, and once when it recovers. */
export class LoggingSpanExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  #isFailureLogged = false;
  #lostSpans = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    exporter: SpanExporter,
    { clock, log }: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly log: Pick<Log, 'info' | 'warn'> },
  ) {
    this.#exporter = exporter;
    this.#clock = clock;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, result => {
      if (result.code === ExportResultCode.SUCCESS) this.#onSuccess();
      else this.#onFailure(spans.length, result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #onSuccess(): void {
    if (!this.#isFailureLogged) return;
    this.#log.info({ lostSpans: this.#lostSpans }, 'trace export recovered');
    this.#isFailureLogged = false;
    this.#lostSpans = 0;
  }

  #onFailure(spans: number, error: Error | undefined): void {
    this.#lostSpans += spans;
    const nowMs = this.#clock.monotonicMs();
    if (this.#isFailureLogged || nowMs - this.#loggedAtMs < LOG_INTERVAL_MS) return;
    this.#isFailureLogged = true;
    this.#loggedAtMs = nowMs;
    this.#log.warn({ problem: describeExportError(error) }, 'trace export to trace_endpoint fails; spans are dropped');
  }
}

/** Contains only the status and the message, never the response body of the endpoint. */
function describeExportError(error: Error | undefined): string {
  if (error === undefined) return 'unknown error';
  const status = 'code' in error && typeof error.code === 'number' ? `HTTP ${error.code}` : errorCode(error);
  return [status, error.message].filter(Boolean).join(': ').slice(0, 200);
}
