import type { SystemTraits } from './os-driver.ts';
import type { Tool } from './tools.ts';
import { TOOLS } from './tools.ts';

const TOOL_SETS = TOOLS.reduce<Tool[][]>((sets, tool) => sets.flatMap(set => [set, [...set, tool]]), [[]]);

/** Every combination of what drivers look at. */
export const TRAITS: readonly SystemTraits[] = TOOL_SETS.map(set => new Set(set)).flatMap(tools =>
  ['some-system', 'sle-micro'].flatMap(id =>
    ['', 'coreos'].flatMap(variantId =>
      [false, true].flatMap(isOstree =>
        [false, true].flatMap(isContainerImage =>
          [false, true].map(isLayered => ({ id, variantId, isOstree, isContainerImage, isLayered, tools })),
        ),
      ),
    ),
  ),
);
