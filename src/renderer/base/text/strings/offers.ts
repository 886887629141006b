import type { Texts } from './texts';

export const offers = {
  'servers.resources': ['Resources', '资源'],
  'servers.prompts': ['Prompts', '提示'],
  'resources.none': ['The server offers nothing to read', '服务器未提供可读取的资源'],
  'resources.read': ['Read', '读取'],
  'resources.insert': ['Insert into the note', '插入笔记'],
  'resources.binary': ['(Data of the kind {{type}})', '（{{type}} 类型的数据）'],
  'prompts.none': ['The server offers no prompts', '服务器未提供提示'],
  'prompts.get': ['Fill in', '填写'],
  'offers.lacking': ['Still empty: {{names}}', '尚未填写：{{names}}'],
  'prompts.insert': ['Insert as turns', '作为对话插入'],

  'question.waiting': [
    { one: '{{count}} question from a server', other: '{{count}} questions from servers' },
    '服务器有 {{count}} 个问题',
  ],
  'question.meanwhile': ['“{{server}}” needs you before it can go on.', '“{{server}}”需要您答复后才能继续。'],
  'question.from': ['“{{server}}” asks', '“{{server}}”询问'],
  'question.send': ['Send', '发送'],
  'question.decline': ['Decline', '拒绝'],
  'question.cancel': ['Not now', '暂不'],
  'question.open': ['Open in the browser', '在浏览器中打开'],
  'question.punycode': [
    'This host is written in other letters than it may seem.',
    '此主机名使用的字符可能与看上去不同。',
  ],
  'question.secret': [
    'It asks for what looks like a secret. A form is not the place for one.',
    '它要求填写疑似机密的信息。表单不应用于此目的。',
  ],
  'question.sampling': [
    'It wants {{model}} to answer this, at your cost, with up to {{count}} tokens.',
    '它希望由 {{model}} 回答以下内容，费用由您承担，最多 {{count}} 个令牌。',
  ],
  'question.noModel': [
    'It wants a model to answer this, but none is set up.',
    '它希望由模型回答以下内容，但尚未设置任何模型。',
  ],
  'question.system': ['Instructions', '系统指令'],
  'question.user': ['Question', '提问'],
  'question.assistant': ['Answer so far', '已有回答'],
  'question.tools': [
    {
      one: 'With {{count}} tool of its own, which only the server runs',
      other: 'With {{count}} tools of its own, which only the server runs',
    },
    '附带 {{count}} 个由服务器自行运行的工具',
  ],
  'question.mustCall': ['The model has to call one of them.', '模型必须调用其中之一。'],
  'question.mayNotCall': ['The model may not call them now.', '模型此次不得调用。'],
  'question.allowSampling': ['Let it answer', '允许回答'],
} as const satisfies Texts;
