// The worker: a question comes as {id, name, state}, its answer goes as {id, value} or {id,
// sentence}.

const answers = {...questions, ...experiments, ...drillAnswers};

onmessage = async ({data}) => {
  const {id, name, state, bytes} = data;
  try {
    if (bytes)
      await start(bytes);
    const found = bytes ? null : answers[name](state, (part) => postMessage({id, part}));
    postMessage({id, value: found});
  } catch (error) {
    const known = error instanceof LibraryError;
    postMessage({id, sentence: error.message, status: known ? error.status : null});
    if (!known)
      console.error(error);
  }
};
