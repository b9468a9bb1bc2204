import type { RouteName } from '#contract/index.ts';
import { routes } from '#contract/index.ts';
import type { Route } from '#contract/route.ts';
import type { Role } from '#vocabulary';

/** Whether a role may call a route: what it may not is not offered. */
export function may(role: Role, name: RouteName): boolean {
  const { roles }: Route = routes[name];
  return roles === 'anyone' || roles.includes(role);
}

/** Why not, where that would surprise. */
export function whyNot(role: Role, name: RouteName): string {
  const { roles }: Route = routes[name];
  const who = roles === 'anyone' ? 'anyone' : roles.join(' or ');
  return `Your role is ${role}; this needs ${who}.`;
}
