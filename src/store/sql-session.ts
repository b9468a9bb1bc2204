import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Signal } from '../domain/events/signal.ts';
import type { Tables } from './tables/tables.ts';

/** Runs a compiled query with different values, inside or outside a transaction. */
type PreparedStatement = (values: readonly unknown[], db: Kysely<Tables>) => Promise<readonly unknown[]>;

/** The differences between engines that repositories depend on. */
export interface SqlEngine {
  /** If false, a transaction locks the complete store. */
  readonly hasRowLocks: boolean;
  /** Whether statements run synchronously in this process. */
  readonly blocksEventLoop: boolean;
  /** Returns `false` if another server holds the event log. The lock ends with the transaction. */
  tryLockEventLog(db: Kysely<Tables>): Promise<boolean>;
  /** Milliseconds since 1970, from the clock that all servers of the store share. */
  nowMs(db: Kysely<Tables>): Promise<number>;
  prepare(query: CompiledQuery): PreparedStatement;
}

export interface SqlSession {
  readonly db: Kysely<Tables>;
  readonly engine: SqlEngine;
  readonly lockOrder: LockOrder;
  readonly signals: Set<Signal>;
}

/** Reads and writes the rows of one kind of record within a session. */
export class Repository {
  protected readonly session: SqlSession;

  constructor(session: SqlSession) {
    this.session = session;
  }

  protected get db(): Kysely<Tables> {
    return this.session.db;
  }
}

/** Rows must be locked in this order, and rows of one kind by key, to prevent deadlocks. */
const LOCK_ORDER = [
  'account',
  'webhook',
  'token',
  'network',
  'container_manager',
  'cluster',
  'operation',
  'host_source',
  'host',
  'host_queue',
  'operation_host',
] as const;
export type LockKind = (typeof LOCK_ORDER)[number];

/** Checks the order of locks in a transaction on every engine, so tests on SQLite find errors too. */
export class LockOrder {
  #last: { kind: LockKind; key: string } | undefined;

  /** Must be called before each lock. Locking the same row again is allowed. */
  assertNext(kind: LockKind, key: string): void {
    const last = this.#last;
    const distance = last ? LOCK_ORDER.indexOf(kind) - LOCK_ORDER.indexOf(last.kind) : 1;
    if (last && (distance < 0 || (distance === 0 && key < last.key))) {
      throw new Error(`wrong lock order: ${kind} ${key} is locked after ${last.kind} ${last.key}`);
    }
    this.#last = { kind, key };
  }
}

// Queries on the request path and in the loops of the engine are compiled once per engine: building and compiling
// takes several times as long as SQLite needs to run one.
//
// - A query may depend on whether a value is present or null, but not on the value itself.
// - A query must name its columns: PostgreSQL rejects a cached plan of `select *` after a newer version added one.

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type Params = Readonly<Record<string, unknown>>;

function paramsShape(params: Params): string {
  let shape = '';
  for (const name in params) {
    const value = params[name];
    if (value !== undefined) shape += value === null ? `${name} null,` : `${name},`;
  }
  return shape;
}

const withPlaceholders = <P extends Params>(params: P): P =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value == null ? value : new Placeholder(name)]),
  ) as P;

interface CompiledVariant {
  /** For each parameter of the query, a `Placeholder` or the value itself. */
  readonly parameters: readonly unknown[];
  readonly run: PreparedStatement;
}

/** `build` is called once per engine and shape of the parameters. */
export function prepareQuery<P extends Params, Row>(build: (session: SqlSession, params: P) => Compilable<Row>) {
  const variants = new WeakMap<SqlEngine, Map<string, CompiledVariant>>();

  function compileVariant(session: SqlSession, params: P, shape: string): CompiledVariant {
    const query = build(session, withPlaceholders(params)).compile();
    const variant = { parameters: query.parameters, run: session.engine.prepare(query) };
    const engineVariants = variants.get(session.engine) ?? new Map<string, CompiledVariant>();
    variants.set(session.engine, engineVariants.set(shape, variant));
    return variant;
  }

  return (session: SqlSession, params: P): Promise<Row[]> => {
    const shape = paramsShape(params);
    const { parameters, run } = variants.get(session.engine)?.get(shape) ?? compileVariant(session, params, shape);
    const values = parameters.map(value => (value instanceof Placeholder ? params[value.name] : value));
    return run(values, session.db) as Promise<Row[]>;
  };
}
