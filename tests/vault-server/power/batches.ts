/** Each makes three tasks, whose titles are somewhere once. */
export const batches = Array.from({ length: 8 }, (_, number) => ({
  options: { batch_key: `b${number}`, atomic: true },
  ops: ['x', 'y', 'z'].map((each) => ({
    ...{ client_id: each, op: 'create', type: 'task' },
    payload: { title: `‹b${number}${each}›` },
  })),
}));
