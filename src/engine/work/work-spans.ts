import type { Progress, Work } from '../../domain/work/work.ts';
import { isOperationWork } from '../../domain/work/work.ts';
import type { Transport } from '../../drivers/transport/transport.ts';
import type { Span, SpanAttributes, SpanEnd, TraceContext, Tracer } from '../../lib/tracer.ts';
import { spanning } from '../../lib/tracer.ts';
import type { JobEnd } from '../../operations/jobs/job-end.ts';
import type { Outcome } from '../../operations/step.ts';
import { tracedTransport } from '../traced-transport.ts';

const attributesOf = (work: Work): SpanAttributes => ({
  'hostler.host': work.host,
  'hostler.work': work.kind,
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
  const attributes = { 'hostler.outcome': outcome.kind, ...(code && { 'hostler.problem': code }) };
  return outcome.kind === 'failed' ? { attributes, problem: code ?? outcome.kind } : { attributes };
}

/** As in the problem of a step. */
const JOB_PROBLEMS: Readonly<Record<JobEnd['result'], string | undefined>> = {
  ok: undefined,
  nonzero: 'command_failed',
  lost: 'command_lost',
};

/** What is traced of one piece of work, while a server has its turn at it: the turn, under it each step, under that what the step does. */
export class WorkSpans {
  readonly #tracer: Tracer;
  readonly #host: Work['host'];
  readonly #turn: Span;
  /** What is under way: a step, and between two of them the turn. */
  #current: TraceContext;

  private constructor(tracer: Tracer, work: Work, under: TraceContext) {
    this.#tracer = tracer;
    this.#host = work.host;
    const attributes = attributesOf(work);
    this.#turn = tracer.start({ name: `work ${work.kind}`, kind: 'internal', under, attributes });
    this.#current = this.#turn.context;
  }

  /** null where nothing is traced, or where nobody traced what asked for the work. */
  static begin(tracer: Tracer | null, work: Work): WorkSpans | null {
    return tracer && work.trace !== undefined ? new WorkSpans(tracer, work, work.trace) : null;
  }

  async step(
    step: string,
    { attempts }: Pick<Progress, 'attempts'>,
    run: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const attributes = { 'hostler.step': step, 'hostler.try': attempts + 1 };
    const under = this.#turn.context;
    const span = this.#tracer.start({ name: `step ${step}`, kind: 'internal', under, attributes });
    this.#current = span.context;
    try {
      return await spanning(span, run, endOf);
    } finally {
      this.#current = this.#turn.context;
    }
  }

  /** One that has ended: it may have begun before the step under which that is seen. */
  job({ program, exitCode, begunMsAgo, endedMsAgo, result }: JobEnd): void {
    const span = this.#tracer.start({
      name: `job ${program}`,
      kind: 'client',
      under: this.#current,
      attributes: { 'server.address': this.#host, 'process.executable.name': program },
      begunMsAgo,
    });
    span.end({
      attributes: exitCode === undefined ? {} : { 'process.exit.code': exitCode },
      problem: JOB_PROBLEMS[result],
      endedMsAgo,
    });
  }

  transport(transport: Transport): Transport {
    return tracedTransport(transport, span => this.#tracer.start({ ...span, under: this.#current }));
  }

  /** The same, with a span for each call; `whose` is what its name begins with. */
  around<Called extends object>(called: Called, whose: string): Called {
    return new Proxy(called, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        return (...given: unknown[]) => {
          const call = { name: `${whose} ${String(name)}`, kind: 'client', attributes: {} } as const;
          const span = this.#tracer.start({ ...call, under: this.#current });
          return spanning(span, async () => Reflect.apply(found, target, given));
        };
      },
    });
  }

  end(): void {
    this.#turn.end();
  }
}
