// Queries are written with Kysely and compiled once for each engine: building and compiling one anew costs several times what
// SQLite takes to answer it. What must hold: whether a value is given, or null, may change a query; what it is may
// not. And a query names its columns: PostgreSQL refuses a plan it has kept when a newer version has added one to `select *`.

import type { Compilable } from 'kysely';
import type { PreparedQuery, SqlEngine, SqlSession } from './sql-session.ts';

/** Stands in a compiled query for a value that is filled in each time. */
class Hole {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Params = Readonly<Record<string, unknown>>;

/** Which values are given, and which of them are null: all that a query may depend on. */
function shapeOf(params: Params): string {
  let shape = '';
  for (const name in params) {
    const value = params[name];
    if (value !== undefined) shape += value === null ? `${name} null,` : `${name},`;
  }
  return shape;
}

/** The same values with holes for them. */
const withHoles = <P extends Params>(params: P): P =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value == null ? value : new Hole(name)]),
  ) as P;

interface Ready {
  /** For each value of the query a name among the parameters, or the value itself. */
  readonly slots: readonly unknown[];
  readonly run: PreparedQuery;
}

/** What runs a query with these values. `build` is called once for each engine and shape. */
export function prepare<P extends Params, Row>(build: (session: SqlSession, params: P) => Compilable<Row>) {
  const prepared = new WeakMap<SqlEngine, Map<string, Ready>>();

  function prepareShape(session: SqlSession, params: P, shape: string): Ready {
    const query = build(session, withHoles(params)).compile();
    const ready = { slots: query.parameters, run: session.engine.prepare(query) };
    const ofEngine = prepared.get(session.engine) ?? new Map<string, Ready>();
    prepared.set(session.engine, ofEngine.set(shape, ready));
    return ready;
  }

  return (session: SqlSession, params: P): Promise<Row[]> => {
    const shape = shapeOf(params);
    const { slots, run } = prepared.get(session.engine)?.get(shape) ?? prepareShape(session, params, shape);
    const values = slots.map(slot => (slot instanceof Hole ? params[slot.name] : slot));
    return run(values, session.db) as Promise<Row[]>;
  };
}
