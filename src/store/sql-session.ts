import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Signal } from '../domain/events/signal.ts';
import type { Tables } from './tables/tables.ts';

/** Runs one query with other values each time, in a transaction or outside of one. */
export type PreparedStatement = (
  values: readonly unknown[],
  db: Kysely<Tables>,
) => Promise<readonly unknown[]>;

/** What repositories must know of the engine they speak to. */
export interface SqlEngine {
  /** Whether rows are locked one by one; if not, a transaction has the whole store to itself. */
  readonly hasRowLocks: boolean;
  /** Whether statements run in this process, which serves nothing else meanwhile. */
  readonly blocksEventLoop: boolean;
  /** Whether the log is ours until the transaction ends; if not, another server has it. */
  tryLockEventLog(db: Kysely<Tables>): Promise<boolean>;
  /** Milliseconds since 1970 by the clock that all who share the store go by. */
  nowMs(db: Kysely<Tables>): Promise<number>;
  /** The shortest way of a query to the engine. */
  prepare(query: CompiledQuery): PreparedStatement;
}

/** What repositories speak to: an engine, in a transaction or outside of one. */
export interface SqlSession {
  readonly db: Kysely<Tables>;
  readonly engine: SqlEngine;
  /** How rows are locked in this transaction. */
  readonly lockOrder: LockOrder;
  /** What servers are to hear of once the transaction is committed. */
  readonly signals: Set<Signal>;
}

/** Rows are locked in this order, and those of one kind by key, so that no two transactions wait for each other in a circle. */
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

/** Keeps one transaction to the order: a lock out of turn is a mistake of ours, and is told at once on every engine. */
export class LockOrder {
  #last: { kind: LockKind; key: string } | undefined;

  /** Called before each lock. Locking the same row again is fine. */
  assertNext(kind: LockKind, key: string): void {
    const last = this.#last;
    const distance = last ? LOCK_ORDER.indexOf(kind) - LOCK_ORDER.indexOf(last.kind) : 1;
    if (last && (distance < 0 || (distance === 0 && key < last.key))) {
      throw new Error(`wrong lock order: ${kind} ${key} is locked after ${last.kind} ${last.key}`);
    }
    this.#last = { kind, key };
  }
}

// Queries are written with Kysely and compiled once for each engine: building and compiling one anew costs several times what
// SQLite takes to answer it. What must hold: whether a value is given, or null, may change a query; what it is may
// not. And a query names its columns: PostgreSQL refuses a plan it has kept when a newer version has added one to `select *`.

/** Stands in a compiled query for a value that is filled in each time. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Params = Readonly<Record<string, unknown>>;

/** Which values are given, and which of them are null: all that a query may depend on. */
function paramsShape(params: Params): string {
  let shape = '';
  for (const name in params) {
    const value = params[name];
    if (value !== undefined) shape += value === null ? `${name} null,` : `${name},`;
  }
  return shape;
}

/** The same values with holes for them. */
const withPlaceholders = <P extends Params>(params: P): P =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value == null ? value : new Placeholder(name)]),
  ) as P;

interface CompiledVariant {
  /** For each value of the query a name among the parameters, or the value itself. */
  readonly parameterSlots: readonly unknown[];
  readonly run: PreparedStatement;
}

/** What runs a query with these values. `build` is called once for each engine and shape. */
export function prepareQuery<P extends Params, Row>(
  build: (session: SqlSession, params: P) => Compilable<Row>,
) {
  const variants = new WeakMap<SqlEngine, Map<string, CompiledVariant>>();

  function compileVariant(session: SqlSession, params: P, shape: string): CompiledVariant {
    const query = build(session, withPlaceholders(params)).compile();
    const variant = { parameterSlots: query.parameters, run: session.engine.prepare(query) };
    const engineVariants = variants.get(session.engine) ?? new Map<string, CompiledVariant>();
    variants.set(session.engine, engineVariants.set(shape, variant));
    return variant;
  }

  return (session: SqlSession, params: P): Promise<Row[]> => {
    const shape = paramsShape(params);
    const { parameterSlots, run } =
      variants.get(session.engine)?.get(shape) ?? compileVariant(session, params, shape);
    const values = parameterSlots.map(slot => (slot instanceof Placeholder ? params[slot.name] : slot));
    return run(values, session.db) as Promise<Row[]>;
  };
}
