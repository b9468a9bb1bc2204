import type { Progress, Work } from '../../domain/work/work.ts';
import { isOperationWork } from '../../domain/work/work.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Span, SpanAttributes, SpanEnd, SpanStart, TraceContext, Tracer } from '../../lib/tracer.ts';
import { spanning } from '../../lib/tracer.ts';
import type { JobEnd } from '../../operations/jobs/job-end.ts';
import type { Outcome } from '../../operations/step.ts';
import { tracedTransport } from '../traced-transport.ts';
import { HeldSpans } from './held-spans.ts';

const attributesOf = (work: Work): SpanAttributes => ({
  'hostler.host': work.host,
  'hostler.task': work.kind,
  ...('cluster' in work && { 'hostler.cluster': work.cluster }),
  ...(isOperationWork(work) && {
    'hostler.operation': work.operation,
    'hostler.operation_kind': work.operationKind,
    'hostler.attempt': work.attempt,
  }),
});

/** Problems begin with a word of ours; what follows may be a host's own. */
const codeOf = (problem: string): string | undefined => /^([a-z_]+)(:|$)/.exec(problem)?.[1];

/** A step that is tried again has not failed: hosts that boot do not answer. */
function endOf(outcome: Outcome): SpanEnd {
  const code = 'problem' in outcome ? codeOf(outcome.problem) : undefined;
  const attributes = { 'hostler.outcome': outcome.kind, ...(code && { 'hostler.error_code': code }) };
  return outcome.kind === 'failed' ? { attributes, problem: code ?? outcome.kind } : { attributes };
}

/** As in the problem of a step. */
const JOB_PROBLEMS: Readonly<Record<JobEnd['result'], string | undefined>> = {
  ok: undefined,
  nonzero: 'command_failed',
  interrupted: 'command_interrupted',
};

/** Of tries that all end alike one in so many is told, so that a long wait is seen to go on. */
const TOLD_EACH = 100;

interface Ports {
  readonly tracer: Tracer | null;
  readonly clock: Clock;
}

type Tried = Pick<Progress, 'step' | 'attempts' | 'problem' | 'untold'>;

/** Whether a try came to the same as the one before it. */
function isAlike(outcome: Outcome, { problem }: Tried): boolean {
  if (outcome.kind === 'retry') return outcome.problem === problem;
  return outcome.kind === 'waiting' && problem === '';
}

/**
 * What is traced of one piece of work, while a server has its turn at it: the turn, under it each step, under that what the step does. A host that boots is
 * asked each second, so tries that end as the one before are left out, and counted; and so are turns that have nothing else.
 */
export class WorkSpans {
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #host: Work['host'];
  readonly #turn: Span;
  readonly #held: HeldSpans;
  #hasTold = false;
  /** What is under way: a step, and between two of them the turn. */
  #current: TraceContext;

  private constructor(tracer: Tracer, clock: Clock, work: Work, under: TraceContext) {
    this.#tracer = tracer;
    this.#clock = clock;
    this.#held = new HeldSpans(clock);
    this.#host = work.host;
    const attributes = attributesOf(work);
    this.#turn = tracer.start({ name: `task ${work.kind}`, kind: 'internal', under, attributes });
    this.#current = this.#turn.context;
  }

  /** null where nothing is traced, or where nobody traced what asked for the work. */
  static begin({ tracer, clock }: Ports, work: Work): WorkSpans | null {
    return tracer && work.trace !== undefined ? new WorkSpans(tracer, clock, work, work.trace) : null;
  }

  /** Answers, beside what came of a step, how many tries in a row are left out by now. */
  async step(
    step: string,
    before: Tried,
    run: () => Promise<Outcome>,
  ): Promise<{ readonly outcome: Outcome; readonly untold: number }> {
    const { attempts, untold } = before;
    if (before.step === step && untold + 1 < TOLD_EACH) this.#held.hold();
    const attributes = {
      ...{ 'hostler.step': step, 'hostler.step_attempt': attempts + 1 },
      ...(untold > 0 && { 'hostler.suppressed_attempts': untold }),
    };
    const span = this.#start({ name: `step ${step}`, kind: 'internal', attributes });
    this.#current = span.context;
    try {
      const outcome = await spanning(span, run, endOf);
      const isLeftOut = this.#held.isHolding && isAlike(outcome, before);
      if (isLeftOut) this.#held.drop();
      this.#hasTold ||= !isLeftOut;
      return { outcome, untold: isLeftOut ? untold + 1 : 0 };
    } catch (error) {
      this.#hasTold = true;
      throw error;
    } finally {
      this.#held.tell();
      this.#current = this.#turn.context;
    }
  }

  /** One that has ended: it may have begun before the step under which that is seen. */
  job({ program, exitCode, begunMsAgo, endedMsAgo, result }: JobEnd): void {
    const span = this.#start({
      name: `job ${program}`,
      kind: 'client',
      attributes: { 'server.address': this.#host, 'process.executable.name': program },
      begunMsAgo,
    });
    span.end({
      attributes: exitCode === undefined ? {} : { 'process.exit.code': exitCode },
      problem: JOB_PROBLEMS[result],
      endedAtMs: this.#clock.monotonicMs() - endedMsAgo,
    });
  }

  transport(transport: Transport): Transport {
    return tracedTransport(transport, span => this.#start(span));
  }

  /** The same, with a span for each call; `whose` is what its name begins with. */
  around<Called extends object>(called: Called, whose: string): Called {
    return new Proxy(called, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        return (...given: unknown[]) => {
          const call = { name: `${whose} ${String(name)}`, kind: 'client', attributes: {} } as const;
          return spanning(this.#start(call), async () => Reflect.apply(found, target, given));
        };
      },
    });
  }

  end(): void {
    if (this.#hasTold) this.#turn.end();
  }

  /** Under whatever is being done. */
  #start(span: Omit<SpanStart, 'under'>): Span {
    return this.#held.around(this.#tracer.start({ ...span, under: this.#current }));
  }
}
