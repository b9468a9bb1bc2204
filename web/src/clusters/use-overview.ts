import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';

/** All there is, in numbers, and every cluster. */
export const useOverview = () =>
  useQuery({ queryKey: keys.overview, queryFn: () => answerOf(api.getOverview()) });
