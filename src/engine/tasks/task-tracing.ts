import type { Task, TaskState } from '../../domain/tasks/task.ts';
import { isOperationTask } from '../../domain/tasks/task.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Span, SpanAttributes, SpanEnd, SpanStart, TraceContext, Tracer } from '../../lib/tracer.ts';
import { withSpan } from '../../lib/tracer.ts';
import type { FinishedJob } from '../../procedures/jobs/job-poll.ts';
import type { Outcome } from '../../procedures/step.ts';
import { traceTransport } from '../observe-transport.ts';

/** Bounds memory: a buffer with more spans is exported. */
const MAX_BUFFERED = 50;

/** Delays the end of spans until the result of the step is known. A span that is never ended is not exported. */
export class SpanBuffer {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #ends: (() => void)[] | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  get isBuffering(): boolean {
    return this.#ends !== null;
  }

  startBuffering(): void {
    this.#ends ??= [];
  }

  flush(): void {
    const ends = this.#ends ?? [];
    this.#ends = null;
    for (const end of ends) end();
  }

  discard(): void {
    this.#ends = null;
  }

  wrap(span: Span): Span {
    return {
      context: span.context,
      end: (spanEnd = {}) => {
        if (this.#ends === null) return span.end(spanEnd);
        const endedAtMs = spanEnd.endedAtMs ?? this.#clock.monotonicMs();
        this.#ends.push(() => span.end({ ...spanEnd, endedAtMs }));
        if (this.#ends.length > MAX_BUFFERED) this.flush();
      },
    };
  }
}

const taskAttributes = (task: Task): SpanAttributes => ({
  'hostler.host': task.host,
  'hostler.task': task.kind,
  ...('cluster' in task && { 'hostler.cluster': task.cluster }),
  ...(isOperationTask(task) && {
    'hostler.operation': task.operation,
    'hostler.operation_kind': task.operationKind,
    'hostler.attempt': task.attempt,
  }),
});

/** A problem starts with an error code; the rest can be output of the host. */
const parseErrorCode = (problem: string): string | undefined => /^([a-z_]+)(:|$)/.exec(problem)?.[1];

/** A retried step is not an error: a booting host does not respond. */
function toSpanEnd(outcome: Outcome): SpanEnd {
  const code = 'problem' in outcome ? parseErrorCode(outcome.problem) : undefined;
  const attributes = { 'hostler.outcome': outcome.kind, ...(code && { 'hostler.error_code': code }) };
  return outcome.kind === 'failed' ? { attributes, errorType: code ?? outcome.kind } : { attributes };
}

/** The same codes as in the problem of a step. */
const JOB_PROBLEMS: Readonly<Record<FinishedJob['result'], string | undefined>> = {
  ok: undefined,
  nonzero: 'command_failed',
  interrupted: 'command_interrupted',
};

/** One in this many repeated attempts is exported, so that a long wait stays visible. */
const EXPORT_EVERY = 100;

type PreviousAttempt = Pick<TaskState, 'step' | 'attempts' | 'problem' | 'suppressedAttempts'>;

function isRepeat(outcome: Outcome, { problem }: PreviousAttempt): boolean {
  if (outcome.kind === 'retry') return outcome.problem === problem;
  return outcome.kind === 'waiting' && problem === '';
}

/** A booting host is polled every second, so repeated attempts with the same result are counted, not exported. */
export class TaskTracing {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #host: Task['host'];
  readonly #runSpan: Span;
  readonly #buffer: SpanBuffer;
  #hasExported = false;
  #current: TraceContext;

  private constructor(tracer: Tracer, clock: Clock, task: Task, parent: TraceContext) {
    this.#tracer = tracer;
    this.#clock = clock;
    this.#buffer = new SpanBuffer(clock);
    this.#host = task.host;
    const attributes = taskAttributes(task);
    this.#runSpan = tracer.start({ name: `task ${task.kind}`, kind: 'internal', parent, attributes });
    this.#current = this.#runSpan.context;
  }

  /** `null`: tracing is disabled, or the request that created the task was not traced. */
  static start({ tracer, clock }: { tracer: Tracer | null; clock: Clock }, task: Task): TaskTracing | null {
    return tracer && task.trace !== undefined ? new TaskTracing(tracer, clock, task, task.trace) : null;
  }

  async step(
    step: string,
    previous: PreviousAttempt,
    run: () => Promise<Outcome>,
  ): Promise<{ readonly outcome: Outcome; readonly suppressedAttempts: number }> {
    const { attempts, suppressedAttempts } = previous;
    if (previous.step === step && suppressedAttempts + 1 < EXPORT_EVERY) this.#buffer.startBuffering();
    const attributes = {
      'hostler.step': step,
      'hostler.step_attempt': attempts + 1,
      ...(suppressedAttempts > 0 && { 'hostler.suppressed_attempts': suppressedAttempts }),
    };
    const span = this.#start({ name: `step ${step}`, kind: 'internal', attributes });
    this.#current = span.context;
    try {
      const outcome = await withSpan(span, run, toSpanEnd);
      const isSuppressed = this.#buffer.isBuffering && isRepeat(outcome, previous);
      if (isSuppressed) this.#buffer.discard();
      this.#hasExported ||= !isSuppressed;
      return { outcome, suppressedAttempts: isSuppressed ? suppressedAttempts + 1 : 0 };
    } catch (error) {
      this.#hasExported = true;
      throw error;
    } finally {
      this.#buffer.flush();
      this.#current = this.#runSpan.context;
    }
  }

  /** The job can have started before the current step span. */
  recordJob({ program, exitCode, startedMsAgo, endedMsAgo, result }: FinishedJob): void {
    const span = this.#start({
      name: `job ${program}`,
      kind: 'client',
      attributes: { 'server.address': this.#host, 'process.executable.name': program },
      startedMsAgo,
    });
    span.end({
      attributes: exitCode === undefined ? {} : { 'process.exit.code': exitCode },
      errorType: JOB_PROBLEMS[result],
      endedAtMs: this.#clock.monotonicMs() - endedMsAgo,
    });
  }

  transport(transport: Transport): Transport {
    return traceTransport(transport, span => this.#start(span));
  }

  call<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    return withSpan(this.#start({ name, kind: 'client', attributes: {} }), run);
  }

  end(): void {
    if (this.#hasExported) this.#runSpan.end();
  }

  #start(span: Omit<SpanStart, 'parent'>): Span {
    return this.#buffer.wrap(this.#tracer.start({ ...span, parent: this.#current }));
  }
}
