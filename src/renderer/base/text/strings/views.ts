import type { Texts } from './texts';

export const views = {
  'view.of': ['View of {{tool}}', '{{tool}} 的视图'],
  'view.by': ['by {{server}}', '来自 {{server}}'],
  'view.starting': ['The view is starting', '视图正在启动'],
  'view.larger': ['Enlarge', '放大'],
  'view.smaller': ['Back to its place (Esc)', '还原（Esc）'],
  'view.close': ['Close the view', '关闭视图'],
  'view.again': ['Open again', '重新打开'],
  'view.resultStays': ['The result itself is not affected.', '结果本身不受影响。'],
  'view.ended.asked': ['The view closed itself', '视图已自行关闭'],
  'view.ended.too-many': [
    'The view was closed: it sent more messages than it may',
    '视图已关闭：发送的消息过多',
  ],
  'view.ended.too-large': [
    'The view was closed: it sent a message that is too large',
    '视图已关闭：发送的消息过大',
  ],
  'view.ended.left': ['The view was closed: it tried to go elsewhere', '视图已关闭：它试图转到别处'],
  'view.ended.keyboard': [
    'The view was closed: it took the keyboard without being asked',
    '视图已关闭：它未经允许占用了键盘',
  ],
  'view.clickToUse': ['Click to use', '单击以使用'],
  'view.escLeaves': ['Esc leaves it', '按 Esc 离开'],
  'view.enter': ['Click or press Enter to use this view', '单击或按 Enter 使用此视图'],
  'view.ended.silent': ['The view did not start', '视图未能启动'],
  'view.cut': [
    'The note keeps only a part of this result. Run the call again to see it whole.',
    '笔记只保留了此结果的一部分。请重新运行调用以查看完整内容。',
  ],
  'view.places': [
    { one: '{{count}} place outside', other: '{{count}} places outside' },
    '{{count}} 个外部地址',
  ],
  'view.reaches': [
    'This view may talk to these places; its server asked for them:',
    '应其服务器要求，此视图可访问以下地址：',
  ],
  'view.askReach': [
    'This view talks to places outside. Its server asked for them:',
    '此视图会访问外部地址，由其服务器指定：',
  ],
  'view.show': ['Show it', '显示视图'],
  'view.askLink': ['The view wants to open this in your browser', '视图请求在浏览器中打开'],
  'view.open': ['Open', '打开'],
  'view.askFiles': [
    {
      one: 'This view of “{{server}}” wants to save a file on your computer',
      other: 'This view of “{{server}}” wants to save {{count}} files on your computer',
    },
    '来自“{{server}}”的此视图请求将 {{count}} 个文件保存到您的电脑',
  ],
  'view.asBin': [
    'What could run or open by itself is saved as .bin. Rename it only if you trust this server.',
    '可能自行运行或打开的文件会保存为 .bin。仅在信任此服务器时才重命名。',
  ],
  'view.save': ['Save', '保存'],
  'view.askMessage': ['The view wants to say this in your name', '视图请求以您的名义发言'],
  'view.put': ['Put it into the note', '写入笔记'],
  'view.putAndAnswer': ['Put it in and have it answered', '写入并请求回答'],
  'view.no': ['No', '否'],
  'view.told': ['Goes with your next question', '将随下个问题一并发送'],
  'view.forget': ['Do not send it', '不发送'],
} as const satisfies Texts;
