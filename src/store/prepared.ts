// Queries are written with Kysely and compiled once for each engine: building and compiling one anew costs several times what
// SQLite takes to answer it. What must hold: whether a value is given, or null, may change a query; what it is may not.

import type { Compilable } from 'kysely';
import type { EngineTraits, NamedQuery, Session } from './session.ts';

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

let count = 0;

/** What runs a query with these values. `build` is called once for each engine and shape. */
export function prepare<P extends Params, Row>(build: (session: Session, params: P) => Compilable<Row>) {
  const compiled = new WeakMap<EngineTraits, Map<string, NamedQuery>>();

  function compile(session: Session, params: P, shape: string): NamedQuery {
    count += 1;
    const query = { ...build(session, withHoles(params)).compile(), name: `hostler_${count}` };
    const ofEngine = compiled.get(session.engine) ?? new Map<string, NamedQuery>();
    compiled.set(session.engine, ofEngine.set(shape, query));
    return query;
  }

  return async (session: Session, params: P): Promise<Row[]> => {
    const shape = shapeOf(params);
    const query = compiled.get(session.engine)?.get(shape) ?? compile(session, params, shape);
    const parameters = query.parameters.map(value => (value instanceof Hole ? params[value.name] : value));
    return session.engine.run({ ...query, parameters }, session.db) as Promise<Row[]>;
  };
}
