import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';

/** All there is, in numbers, and every cluster. */
export const useOverview = () =>
  useQuery({ queryKey: ['overview', 'all'], queryFn: () => answerOf(api.getOverview()) });
