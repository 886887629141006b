/** What an agent and a prompt begin with that are made here: nothing that a person would have to agree to. */
export const newNotes = {
  agents: '---\nprovider:\nmodel:\ntools: []\napproval: ask\n---\nYou help with the notes in {{vault}}.\n',
  prompts: '---\ndescription: What it is for\n---\n{{selection}}\n',
};
