import type { Task, TaskState } from '../../domain/tasks/task.ts';
import { isOperationTask } from '../../domain/tasks/task.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Span, SpanAttributes, SpanEnd, SpanStart, TraceContext, Tracer } from '../../lib/tracer.ts';
import { withSpan } from '../../lib/tracer.ts';
import type { FinishedJob } from '../../procedures/jobs/job-poll.ts';
import type { Outcome } from '../../procedures/step.ts';
import { traceTransport } from '../traced-transport.ts';

/** What has so much to tell is told in any case: memory is bounded. */
const MAX_BUFFERED = 50;

/** Keeps back the ends of spans until it is known whether they are worth telling: a span that is not ended is never told. */
export class SpanBuffer {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** `null`: nothing is kept back. */
  #ends: (() => void)[] | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  get isBuffering(): boolean {
    return this.#ends !== null;
  }

  /** Begins to keep back. */
  startBuffering(): void {
    this.#ends ??= [];
  }

  /** Tells what was kept back, with its times, and from now on everything at once. */
  flush(): void {
    const ends = this.#ends ?? [];
    this.#ends = null;
    for (const end of ends) end();
  }

  /** Forgets what was kept back. */
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

/** Problems begin with a word of ours; what follows may be a host's own. */
const parseErrorCode = (problem: string): string | undefined => /^([a-z_]+)(:|$)/.exec(problem)?.[1];

/** A step that is tried again has not failed: hosts that boot do not answer. */
function toSpanEnd(outcome: Outcome): SpanEnd {
  const code = 'problem' in outcome ? parseErrorCode(outcome.problem) : undefined;
  const attributes = { 'hostler.outcome': outcome.kind, ...(code && { 'hostler.error_code': code }) };
  return outcome.kind === 'failed' ? { attributes, errorType: code ?? outcome.kind } : { attributes };
}

/** As in the problem of a step. */
const JOB_PROBLEMS: Readonly<Record<FinishedJob['result'], string | undefined>> = {
  ok: undefined,
  nonzero: 'command_failed',
  interrupted: 'command_interrupted',
};

/** Of tries that all end alike one in so many is told, so that a long wait is seen to go on. */
const EXPORT_EVERY = 100;

interface TracingPorts {
  readonly tracer: Tracer | null;
  readonly clock: Clock;
}

type PreviousAttempt = Pick<TaskState, 'step' | 'attempts' | 'problem' | 'suppressedAttempts'>;

/** Whether a try came to the same as the one before it. */
function isRepeat(outcome: Outcome, { problem }: PreviousAttempt): boolean {
  if (outcome.kind === 'retry') return outcome.problem === problem;
  return outcome.kind === 'waiting' && problem === '';
}

/**
 * What is traced of one piece of work, while a server has its turn at it: the turn, under it each step, under that what the step does. A host that boots is
 * asked each second, so tries that end as the one before are left out, and counted; and so are turns that have nothing else.
 */
export class TaskTracing {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #host: Task['host'];
  readonly #runSpan: Span;
  readonly #buffer: SpanBuffer;
  #hasExported = false;
  /** What is under way: a step, and between two of them the turn. */
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

  /** null where nothing is traced, or where nobody traced what asked for the work. */
  static start({ tracer, clock }: TracingPorts, task: Task): TaskTracing | null {
    return tracer && task.trace !== undefined ? new TaskTracing(tracer, clock, task, task.trace) : null;
  }

  /** Answers, beside what came of a step, how many tries in a row are left out by now. */
  async step(
    step: string,
    before: PreviousAttempt,
    run: () => Promise<Outcome>,
  ): Promise<{ readonly outcome: Outcome; readonly suppressedAttempts: number }> {
    const { attempts, suppressedAttempts } = before;
    if (before.step === step && suppressedAttempts + 1 < EXPORT_EVERY) this.#buffer.startBuffering();
    const attributes = {
      ...{ 'hostler.step': step, 'hostler.step_attempt': attempts + 1 },
      ...(suppressedAttempts > 0 && { 'hostler.suppressed_attempts': suppressedAttempts }),
    };
    const span = this.#start({ name: `step ${step}`, kind: 'internal', attributes });
    this.#current = span.context;
    try {
      const outcome = await withSpan(span, run, toSpanEnd);
      const isSuppressed = this.#buffer.isBuffering && isRepeat(outcome, before);
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

  /** One that has ended: it may have begun before the step under which that is seen. */
  recordJob({ program, exitCode, startedMsAgo, endedMsAgo, result }: FinishedJob): void {
    const span = this.#start({
      name: `job ${program}`,
      kind: 'client',
      attributes: { 'server.address': this.#host, 'process.executable.name': program },
      startedMsAgo: startedMsAgo,
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

  /** The same, with a span for each call; `whose` is what its name begins with. */
  traceCalls<Driver extends object>(driver: Driver, prefix: string): Driver {
    return new Proxy(driver, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const call = { name: `${prefix} ${String(name)}`, kind: 'client', attributes: {} } as const;
          return withSpan(this.#start(call), async () => Reflect.apply(member, target, args));
        };
      },
    });
  }

  end(): void {
    if (this.#hasExported) this.#runSpan.end();
  }

  /** Under whatever is being done. */
  #start(span: Omit<SpanStart, 'parent'>): Span {
    return this.#buffer.wrap(this.#tracer.start({ ...span, parent: this.#current }));
  }
}
