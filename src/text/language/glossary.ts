// A developer's words in other languages and what they are in English. Words find only what is spelt like them, and a
// model is surer within a language than across two; with this, word by word, a Spanish prompt finds an English memory
// and an English one a Spanish memory. It is a list of words, not a translator: no grammar, one sense a word.
//
// One line an English word (the first goes to the model, all of them are looked up): its Spanish, Portuguese, French,
// Italian, German, Russian, Chinese, Japanese and Korean words, in no order. `*` stands for any ending. Where a word
// stands on two lines the first counts. Memories are translated when they are indexed, so a change here changes
// `src/index/analysis.ts` too; its test says so.

/** The table as text. */
export const GLOSSARY = `
file: archivo fichero arquivo ficheiro fichier datei* файл* 文件 档案 ファイル 파일
folder directory: carpeta directorio pasta diretorio diretoria dossier repertoire cartella directory ordner verzeichnis* каталог* директори* папк* 目录 文件夹 ディレクトリ フォルダ 디렉터리 디렉토리 폴더
path: ruta camino caminho chemin percorso pfad* путь пути 路径 パス 경로
name: nombre nome nom name* имя имени имен* назван* 名称 名字 名前 이름
rename: renombr* renome* renomm* rinomin* umbenenn* umbenannt переимен* 重命名 リネーム 이름을
create: crea* cre creer crée criar cria crie creare erstell* anleg* erzeug* созда* 创建 新建 建立 作成 생성 만들
delete remove: elimin* borra* borre* suprim* quita* apaga* exclui* remov* supprim* effac* rimuov* rimozion* cancell* losch* entfern* удал* 删除 移除 清除 削除 삭제 제거
copy: copia* copie* copiar kopier* kopie копи* скопир* 复制 拷贝 コピー 複製 복사
move: mueve* mover mova mov* deplac* sposta* verschieb* verschoben перемест* перемещ* перенес* 移动 移動 이동 옮기
open: abr* ouvr* ouvert* apri* apert* aprire offne* offen* откры* 打开 开启 開く 開き 열기
close: cierr* cerrar cerrad* fech* ferme* chiud* chius* schliess* geschlossen закры* 关闭 閉じ 닫기
save store: guard* salv* enregistr* sauvegard* speicher* сохран* 保存 存储 セーブ 저장
load: carga* carreg* charge* caric* lade* laden геруз* загруз* 加载 載入 読み込 ロード 로드
write: escrib* escrit* escrev* ecri* scriv* scritt* schreib* geschrieben запис* написа* 写入 书写 編寫 書き込 書く 쓰기 작성
read: lee* leer leid* ler leia lire lis* lu legge* lett* lese* gelesen чита* прочит* 读取 阅读 読み取 読む 읽기 읽어 lectura* leitura* lettura* lecture*
edit: edita* edite* modifier bearbeit* редактир* 编辑 編集 편집
change modify: cambi* modific* modifi* mud* alter* chang* andern* ander* geandert verander* измен* 更改 修改 改变 変更 변경 수정
update: actualiz* atualiz* mettre* mise aggiorn* aktualisier* обнов* 更新 アップデート 업데이트 갱신
install: instal* install* installier* устан* 安装 インストール 설치
uninstall: desinstal* disinstall* deinstall* деинсталл* 卸载 アンインストール
package: paquet* pacote pacchett* paket* пакет* 包 软件包 パッケージ 패키지
version: version* versao versione* верси* 版本 バージョン 버전
list: lista* liste* listar elenc* auflist* список* списк* перечисл* 列出 列表 清单 一覧 リスト 목록 나열 enumer*
show display: muestr* mostr* exib* affich* visualiz* mostra* anzeig* zeig* angezeigt показ* отобраз* вывест* вывод* 显示 展示 表示 표시 보여 zeige
print: imprim* imprime* stampa* druck* ausgeb* печат* распечат* 打印 印刷 出力 출력 인쇄
search find: busca* busque* encuentr* encontr* procur* pesquis* localiz* recherch* cherch* trouv* cerca* ricerc* trov* such* finde* gefunden поиск* найти найд* искать ищ* 搜索 查找 寻找 検索 探す 見つけ 검색 찾
replace: reemplaz* sustitu* substitu* remplac* sostitu* ersetz* замен* 替换 置換 置き換え 교체 대체 바꾸
run execute: ejecut* execut* corre* rodar rode* lanc* esegu* esecuz* ausfuhr* ausgefuhrt запус* выполн* 运行 执行 実行 실행 execuc* realiz* efectu* durchfuhr* fuhre
start: inicia* inicie* arranc* inici* demarr* commenc* avvia* avvi* start* begin* anfang* запуст* нача* начн* 启动 开始 起動 開始 시작
stop: deten* det* par* parar arret* ferma* arrest* stopp* anhalt* beend* останов* 停止 止め 중지 정지 멈추
restart: reinici* redemarr* riavvi* neustart* перезапус* перезагруз* 重启 重新启动 再起動 재시작
kill terminate: mata* matar termin* tuer uccid* toten убить заверш* 终止 杀死 終了 強制終了 종료
process: proceso* processo* processus process* prozess* процесс* 进程 プロセス 프로세스
command: comando* command* commande* befehl* kommando* команд* 命令 コマンド 명령 명령어
shell: interprete* shell* оболочк* シェル 셸
terminal: terminal* терминал* 终端 ターミナル 터미널
argument: argumento* argument* argomento* аргумент* 参数 引数 인수 인자
option: opcion* opcao opcoes option* opzion* опци* параметр* 选项 オプション 옵션
parameter: parametro* parametre* parameter* 参数 パラメータ 매개변수
value: valor* valeur* wert* значени* 值 値 값
variable: variab* variavel variavei* переменн* 变量 変数 변수
environment: entorno* ambiente* environnement* umgebung* окружени* сред* 环境 環境 환경
user: usuario* usuari* utilisateur* utent* benutzer* nutzer* пользовател* 用户 ユーザー ユーザ 사용자
group: grupo* groupe* grupp* групп* 组 群组 グループ 그룹
password: contrasena* senha* mot passwort* kennwort* passwort parola пароль пароля парол* 密码 口令 パスワード 비밀번호 암호
permission: permiso* permis* permiss* autorisation* droits berechtigung* zugriffsrecht* разрешени* прав* 权限 許可 権限 パーミッション 권한
access: acces* acceso* acesso* accesso* zugriff* доступ* 访问 アクセス 접근 접속
key: clave* llave* chave* cle cles chiave* schlussel* ключ* 密钥 键 鍵 キー 키
public: publico* publica* pubblic* offentlich* публичн* 公共 公钥 公開 공개
private: privad* prive* privat* приватн* 私有 私钥 秘密 개인
secret: secret* segret* geheim* секрет* 机密 シークレット
token: token* токен* 令牌 トークン 토큰
login sign in: sesion inicia connexion anmeld* accesso вход* войти 登录 登陆 ログイン 로그인
server: servidor* serveur* server* сервер* 服务器 サーバー サーバ 서버
client: cliente* client* kunde* клиент* 客户端 クライアント 클라이언트
service: servicio* servico* servizi* dienst* сервис* служб* 服务 サービス 서비스
network: red redes rede* reseau* rete* netzwerk* netz* сет* 网络 ネットワーク 네트워크
connection: conexion* conexao conexoes connexion* connession* verbindung* соединени* подключени* 连接 接続 연결
connect: conect* connect* connett* collega* verbind* подключ* соедин* 连接 接続 연결
port: puerto* porta* porto* portnummer порт порта порты 端口 ポート 포트
address: direccion* endereco* adresse* indirizzo* indirizzi адрес* 地址 アドレス 주소
domain: dominio* domaine* domane* домен* 域名 ドメイン 도메인
host: anfitrion* hote* host* хост* 主机 ホスト 호스트
remote: remot* distant* entfernt* удаленн* 远程 リモート 원격
local: local* locale* lokal* локальн* 本地 ローカル 로컬
download: descarg* baix* telecharg* scaric* herunterlad* heruntergeladen download* скача* загрузк* 下载 ダウンロード 다운로드
upload: sub* envia* televers* caricar* hochlad* выгруз* 上传 アップロード 업로드
send: envia* envi* enviar envoy* invia* invi* send* sende* отправ* посла* 发送 送信 전송 보내
receive: recib* receb* recev* recu ricev* empfang* получ* 接收 受信 받기
request: solicitud* peticion* requisic* pedido* requet* richiest* anfrag* запрос* 请求 リクエスト 要求 요청
response answer: respuest* respost* repons* rispost* antwort* ответ* 响应 レスポンス 応答 응답
page: pagina* page* seite* страниц* 页面 网页 ページ 페이지
web site: sitio* site* sito* webseite* сайт* 网站 サイト 사이트
browser: navegador* navigateur* browser* браузер* 浏览器 ブラウザ 브라우저
link: enlace* vinculo* lien* ligacao collegament* verknupfung* ссылк* 链接 リンク 링크
symbolic: simbolic* symbolique* symbolisch* символ* 符号链接 シンボリック 심볼릭
image picture: imagen* imagem imagens image* immagin* bild* изображени* образ* картинк* 图片 图像 镜像 画像 イメージ 이미지
video: video* видео 视频 動画 ビデオ 비디오 동영상
audio sound: audio* sonido* som suono* ton tondatei* аудио звук* 音频 声音 音声 オーディオ 오디오
text: texto* texte* test* text* текст* 文本 テキスト 텍스트
line: linea* linha* ligne* riga righe zeile* строк* 行 줄
column: columna* coluna* colonne* colonna spalte* столбец столбц* колонк* 列 カラム 열
row: fila* linha* ligne* zeile* 行 레코드
word: palabra* palavra* mot mots parola parole wort* worter* слов* 单词 单语 単語 단어
character: caracter* caractere* caratter* zeichen* символ* 字符 文字 문자
string: cadena* chaine* stringa stringhe zeichenkette* строк* 字符串 文字列 문자열
number: numero* nombre* anzahl nummer* zahl* числ* номер* количеств* 数字 数量 番号 数 숫자 번호 개수
date: fecha* data* date* datum* дат* 日期 日付 날짜
time: hora* tiempo* tempo tempi heure* temps ora zeit* время времен* 时间 時間 時刻 시간
second: segundo* seconde* secondo secondi sekunde* секунд* 秒 초
minute: minuto* minut* минут* 分钟 分 분
hour: stunde* час часа часов 小时 시간
day: dia* jour* giorno giorni tag tage* день дн* 天 日 날
week: semana* semaine* settiman* woche* недел* 周 星期 週 주
month: mes meses mois mese mesi monat* месяц* 月 월
year: ano anos annee* anno anni jahr* год* 年 년
size: tamano* taman* tamanho* taille* dimension* grosse* размер* 大小 尺寸 サイズ 크기
length: longitud* comprimento* longueur* lunghezz* lange* длин* 长度 長さ 길이
width: ancho* anchura* largura* largeur* larghezz* breite* ширин* 宽度 幅 너비
height: alto* altura* hauteur* altezz* hohe* высот* 高度 高さ 높이
color: color* cor cores couleur* colore colori farb* цвет* 颜色 色 색상
format: formato* format* формат* 格式 形式 フォーマット 형식 포맷
convert: convert* convier* convirt* umwandel* konvertier* преобраз* конвертир* 转换 変換 변환
extract: extra* extrai* extraer extraire estra* entpack* extrahier* извле* распак* 提取 解压 抽出 展開 추출
compress: comprim* compress* comprimi* komprimier* сжат* сжим* 压缩 圧縮 압축
decompress: descomprim* descompact* decompress* entpack* распак* 解压缩 解凍 압축을
archive: archiv* arquiva* архив* 归档 存档 アーカイブ 아카이브
backup: respaldo* backup* sauvegarde* sicherung* резервн* 备份 バックアップ 백업
restore: restaur* restablec* recupera* ripristin* wiederherstell* wiederhergestellt восстан* 恢复 还原 復元 リストア 복원 복구
encrypt: cifra* encript* criptograf* chiffr* crittogra* verschlussel* шифр* зашифр* 加密 暗号化 암호화
decrypt: descifra* desencript* descriptograf* dechiffr* decritt* entschlussel* расшифр* 解密 復号 복호화
sign signature: firma* assina* sign* unterschri* signier* подпис* 签名 署名 서명
certificate: certificad* certificat* zertifikat* сертификат* 证书 証明書 인증서
verify check: verific* verifi* comprueb* comprob* confer* cheque* checa* controll* pruf* uberpruf* провер* 验证 检查 校验 確認 検証 チェック 확인 검증 검사
test: prueba* test* teste* essai* prov* тест* 测试 テスト 테스트
error: error* erro erros erreur* errore errori fehler* ошибк* 错误 エラー 오류 에러
warning: advertenc* aviso* avertissement* avvis* warnung* предупрежд* 警告 경고
fail failure: falla* fallo* falh* echou* echec* fallis* fallit* fehlschlag* fehlgeschlagen сбо* неудач* упал* 失败 失敗 실패
problem: problem* проблем* 问题 問題 문제
fix: arregl* corrig* correg* conserta* repar* corregg* beheb* reparier* исправ* 修复 修正 修理 수정 고치
log record: registro* log* bitacora* journal* protokoll* журнал* лог логи 日志 ログ 記録 로그 기록
message: mensaje* mensagem mensagens message* messaggi* nachricht* meldung* сообщени* 消息 信息 メッセージ 메시지
information: informacion* informac* information* informazion* информаци* 信息 情報 정보
detail: detalle* detalhe* detail* dettagli* einzelheit* подробн* детал* 详细 详情 詳細 상세 자세
help: ayuda* ajuda* aide* aiuto hilfe* помощ* справк* 帮助 ヘルプ 도움말
documentation: documentac* documentat* dokumentation* документаци* 文档 ドキュメント 문서
configuration configure: configur* konfigur* einstell* impostazion* конфигурац* настро* 配置 设置 設定 構成 설정 구성
default: defecto predeterminad* padrao defaut predefinit* standard* умолчани* 默认 缺省 デフォルト 既定 기본
set: establec* defin* impost* setz* festleg* задать установ* 设置 设定 設定 설정
get obtain: obten* obtem obtenir ottien* otten* erhalt* abruf* получ* 获取 得到 取得 가져오
add: agreg* anad* adicion* ajout* aggiung* hinzufug* добав* 添加 增加 追加 추가
append: append* anhang* anexa* дописа* 追加到 추가
insert: insert* inser* einfug* встав* 插入 挿入 삽입
use: usa* use* utiliz* utilis* usando verwend* benutz* nutz* использ* 使用 利用 用 사용 이용
specify given: especific* specifi* specific* determinad* indiqu* dado dada donne* dat* angegeben* bestimmt* указанн* указа* заданн* 指定 特定 지정 특정
new: nuev* nov* nouv* neu neue* нов* 新 新しい 新規 새로운 새
old: viej* antigu* antig* velh* ancien* vecch* alt* alte стар* 旧 老 古い 오래된
all every: todo* toda* tout* tutt* alle* все всех всем 所有 全部 すべて 全て 全 모든 모두 전체
only: solo solamente soment* apenas seulement seul* soltanto nur только 仅 只 のみ だけ 만
first: primer* primeir* premier* prim* erst* перв* 第一 首 最初 첫
last latest: ultim* dernier* derniere* letzt* neuest* последн* 最后 最新 最近 最後 마지막 최근 최신
next: siguiente* proxim* prochain* suivant* prossim* successiv* nachst* следующ* 下一个 接下来 次 다음
previous: anterior* precedent* vorherig* предыдущ* 上一个 以前 前 이전
current: actual* atual* atuais courant* actuel* corrent* attual* aktuell* текущ* 当前 现在 現在 현재
different: diferent* different* divers* verschieden* unterschiedlich* разн* различн* 不同 異なる 다른
difference compare: diferenc* difference* differenz* unterschied* compar* confront* vergleich* разниц* сравн* 差异 比较 差分 比較 違い 비교 차이
same: mism* mesm* meme* stess* gleich* одинаков* 相同 同じ 같은
multiple several: vari* multipl* plusieurs mehrer* нескольк* 多个 複数 여러
without: sin sem sans senza ohne без 无 不 なし 없이
recursive: recursiv* recursivamente ricorsiv* rekursiv* рекурсивн* 递归 再帰 재귀
interactive: interactiv* interativ* interattiv* interaktiv* интерактивн* 交互 対話 インタラクティブ 대화형
force: forz* forca* forc* erzwing* принудит* 强制 強制 강제
ignore: ignor* игнорир* 忽略 無視 무시
skip: omit* salta* saut* pul* uberspring* пропус* 跳过 スキップ 건너뛰
allow: permit* permet* permite* consent* erlaub* zulass* разреш* позвол* 允许 許可 허용
deny block: bloque* deneg* nega* bloqu* blocc* blockier* verweiger* запре* блокир* 拒绝 阻止 禁止 ブロック 拒否 차단 거부
enable: habilit* activ* ativ* attiv* abilit* aktivier* включ* активир* 启用 激活 有効 활성화
disable: deshabilit* desactiv* desabilit* desativ* disattiv* disabilit* desactiver deaktivier* отключ* выключ* 禁用 停用 無効 비활성화
output: salida* saida* sortie* uscita ausgabe* вывод* 输出 出力 출력
input: entrada* entree* ingresso eingab* ввод* 输入 入力 입력
content: contenid* conteud* contenu* contenut* inhalt* содерж* 内容 コンテンツ 내용
comment: comentari* commentair* comment* kommentar* комментари* 注释 评论 コメント 주석 댓글
code: codigo* code* codice codici kode коде код кода 代码 コード 코드
source: fuente* fonte* origen* origem source* sorgent* origin* quell* исходн* источник* 源 源代码 ソース 소스 원본
target destination: destino* cible* destinazion* ziel* цел* назначени* 目标 目的 対象 대상 목적지
program: programa* programm* программ* 程序 プログラム 프로그램
application: aplicaci* aplicativ* applicat* applicazion* anwendung* приложени* 应用 应用程序 アプリケーション アプリ 애플리케이션 앱
library: biblioteca* librer* bibliothe* libreri* bibliothek* библиотек* 库 ライブラリ 라이브러리
module: modul* модул* 模块 モジュール 모듈
function: funcion* funcao funcoes fonction* funzion* funktion* функци* 函数 功能 関数 機能 함수 기능
class: clase* classe* klasse* класс* 类 クラス 클래스
object: objet* oggett* objekt* объект* 对象 オブジェクト 객체 개체
array: arregl* vetor* tableau* matriz* массив* 数组 配列 배열
type: tipo* type* typ тип типа типы 类型 種類 タイプ 型 유형 타입
field: campo* champ* feld* поле пол* 字段 フィールド 필드
table: tabla* tabela* tabell* таблиц* 表 テーブル 테이블
database: datos base bdd banco basededatos datenbank* database* баз* 数据库 データベース 데이터베이스
data: dato* dados donnee* dati daten* данн* 数据 データ 데이터
query: consulta* requet* interrogazion* abfrage* запрос* 查询 クエリ 쿼리
index: indice* indic* index* индекс* 索引 インデックス 인덱스 색인
migration: migracion* migrac* migration* migrazion* миграци* 迁移 移行 マイグレーション 마이그레이션
transaction: transaccion* transac* transazion* transaktion* транзакци* 事务 トランザクション 트랜잭션
repository: repositorio* depot* repositor* deposito репозитори* 仓库 代码库 存储库 リポジトリ 저장소 리포지토리 레포지토리
branch: rama* branch* branche* ramo* zweig* ветк* ветв* 分支 ブランチ 브랜치
commit: commit* confirmacion* коммит* 提交 コミット 커밋
merge: fusion* mescl* mergear unir* unione zusammenfuhr* mergen* слия* слит* 合并 マージ 병합 머지
push: empuj* pousser* spinger* пуш* отправ* запуш* 推送 プッシュ 푸시
pull: tirar* tire* puxa* 拉取 プル 풀
clone: clon* klon* клон* 克隆 クローン 복제 클론
tag: etiquet* tag* tags тег теги метк* 标签 タグ 태그
history: historial* historico* histori* storia cronolog* verlauf* истори* 历史 履歴 歴史 이력 기록
undo revert: deshac* revert* desfaz* annul* ruckgangig* отмен* откат* 撤销 回退 取り消 戻す 되돌리 취소
reset: restablec* redefin* reinitialis* reimpost* zurucksetz* сброс* 重置 リセット 초기화 리셋
stash: stash 储藏 스태시
conflict: conflict* conflit* conflitt* konflikt* конфликт* 冲突 競合 コンフリクト 충돌
submodule: submodul* подмодул* 子模块 サブモジュール 서브모듈
author: autor* auteur* autore автор* 作者 작성자
stage staged: prepar* stage 暂存 ステージ 스테이지
tracked untracked: rastre* suivi* tracciat* отслежива* 跟踪 追踪 追跡 추적
rebase: rebas* 变基 リベース 리베이스
build: constru* compil* baut bauen gebaut build* сбор* собра* 构建 ビルド 빌드
compile: compil* kompilier* компил* 编译 コンパイル 컴파일
deploy: despleg* desplieg* deploy* implant* deploi* distribu* bereitstell* разверн* развер* деплой* 部署 デプロイ 배포
production: produccion* produc* production produzion* produktion* продакшн* прод 生产 生产环境 本番 프로덕션 운영
project: proyecto* projeto* projet* progett* projekt* проект* 项目 プロジェクト 프로젝트
task: tarea* taref* tache* compit* attivita aufgabe* задач* 任务 タスク 작업
job: trabajo* trabalho* travail* lavoro auftrag* задани* 作业 ジョブ 작업
schedule: programa* agend* planif* pianific* zeitplan* планир* расписани* 计划 定时 スケジュール 예약 일정
run periodically: periodic* periodiquement regelmassig* периодич* 定期 定期的 주기적
wait: espera* esper* attend* aspett* wart* ожида* ждат* 等待 待つ 待機 대기
monitor watch: monitor* surveill* vigil* uberwach* monitorar наблюд* монитор* 监控 监视 監視 モニタ 모니터 감시
debug: depur* debug* debogu* debugg* отлад* 调试 デバッグ 디버그
memory: memoria* memoire* speicher* памят* 内存 メモリ 메모리
disk: disco* disque* disch* festplatte* диск* 磁盘 ディスク 디스크
partition: partici* partic* partizion* раздел* 分区 パーティション 파티션
drive device: dispositivo* periferic* peripherique* appareil* gerat* laufwerk* устройств* 设备 驱动器 デバイス ドライブ 장치 디바이스
mount: mont* einhang* einbind* монтир* 挂载 マウント 마운트
system: sistem* systeme* system* систем* 系统 システム 시스템
kernel: nucleo* noyau* ядр* 内核 カーネル 커널
hardware: hardware* materiel* оборудовани* 硬件 ハードウェア 하드웨어
screen: pantalla* tela* ecran* scherm* bildschirm* экран* 屏幕 画面 스크린 화면
window: ventana* janela* fenetre* finestr* fenster* окн* окон* 窗口 ウィンドウ 창
keyboard: teclad* clavier* tastier* tastatur* клавиатур* 键盘 キーボード 키보드
mouse: raton* souris mous* maus* мыш* 鼠标 マウス 마우스
button: boton* botao bouton* pulsant* knopf* schaltflache* кнопк* 按钮 ボタン 버튼
clipboard: portapapeles transferencia presse appunti zwischenablage* буфер* 剪贴板 クリップボード 클립보드
print printer: impresora* impressora* imprimant* stampant* drucker* принтер* 打印机 プリンタ 프린터
book: libro* livro* livre* buch* книг* 书 本 책
language: idioma* lenguaj* lingua* linguagem langue* langage* linguagg* sprache* язык* 语言 言語 언어
translate: traduc* traduz* tradui* tradurr* ubersetz* перев* 翻译 翻訳 번역
sort: orden* tri* trier ordin* sortier* сортир* 排序 ソート 並べ替え 정렬
count: contar conta cuenta* contag* compt* zahl* подсч* посчит* 计数 统计 数える カウント 세기
filter: filtr* filter* фильтр* 过滤 筛选 フィルタ 필터
split divide: divid* separ* dividir diviser divis* teil* aufteil* раздел* разби* 分割 拆分 分ける 분할 나누
join combine: unir* combin* junt* joind* reuni* verbind* kombinier* объедин* 合并 连接 結合 結合する 결합 합치
match: coincid* correspond* corrispond* ubereinstimm* совпад* соответств* 匹配 一致 マッチ 일치
pattern: patron* padrao padroes motif* modell* muster* шаблон* 模式 パターン 패턴
expression regular: expresion* expressao expressoes expression* espression* ausdruck* выражени* 表达式 正则 正規表現 정규식 표현식
empty: vacio* vaci* vazio* vazi* vide* vuot* leer leere* пуст* 空 空の 빈
duplicate: duplic* dupliz* doublon* doppelt* дублик* повтор* 重复 重複 중복
unique: unic* uniqu* eindeutig* уникальн* 唯一 一意 ユニーク 고유 유일
exist: exist* esist* vorhanden* существу* 存在 존재
missing: falta* manqu* manc* fehlend* отсутств* 缺少 丢失 欠落 누락
hidden: ocult* cach* nascost* versteckt* скрыт* 隐藏 隠し 숨김 숨은
available: disponib* verfugbar* доступн* 可用 利用可能 사용가능
support: soport* suport* support* unterstutz* поддерж* 支持 サポート 지원
require need: requier* requer* necesit* precis* necessit* richied* benotig* требу* нужн* 需要 要求 必要 필요
depend dependency: depend* dipend* abhang* зависим* 依赖 依存 의존 종속
generate: gener* generier* сгенер* генер* 生成 생성
random: aleatori* aleatoir* casual* zufall* случайн* 随机 ランダム 무작위 랜덤
online: linea* ligne* 在线 オンライン 온라인
analyze: analiz* analis* analys* анализ* 分析 解析 분석
scan: escane* scann* scansion* scan* сканир* 扫描 スキャン 스캔
measure benchmark: mid* medi* mesur* misur* mess* измер* 测量 基准 測定 計測 측정
speed performance: velocidad* velocidade* rendimiento* desempenho* vitesse* performance* velocita geschwindigkeit* leistung* скорост* производительн* 速度 性能 パフォーマンス 속도 성능
fast quick: rapid* veloc* schnell* быстр* 快速 高速 빠른
slow: lent* langsam* медленн* 慢 遅い 느린
large big: grand* grande* gross* больш* 大 大きい 큰
small: pequen* petit* piccol* klein* маленьк* небольш* 小 小さい 작은
maximum: maxim* massim* максим* 最大 최대
minimum: minim* миним* 最小 최소
limit: limit* begrenz* grenz* огранич* лимит* 限制 制限 제한
range: rango* intervalo* plage* intervall* bereich* диапазон* 范围 範囲 범위
level: nivel* niveau* livell* stufe* уровен* уровн* 级别 レベル 수준 레벨
state status: estad* etat* stat* status* zustand* состояни* статус* 状态 状態 ステータス 상태
active: activ* ativ* aktiv* активн* 活动 アクティブ 활성
running: corriend* ejecucion* rodando laufend* запущенн* работающ* 正在运行 実行中 실행중
background: fondo* segundo plano arriere sfondo hintergrund* фон* 后台 背景 バックグラウンド 백그라운드 배경
foreground: vordergrund* передн* 前台 フォアグラウンド
session: sesion* sessao sessoes session* sessione sitzung* сесси* сеанс* 会话 セッション 세션
account: cuenta* conta contas compte* account* konto* аккаунт* учетн* 账户 账号 アカウント 계정
mail email: correo* courriel* mail* posta почт* 邮件 电子邮件 メール 이메일 메일
image container: contenedor* contener* conteneur* contenitor* container* контейнер* 容器 コンテナ 컨테이너
cluster: cluster* кластер* 集群 クラスタ 클러스터
node: nodo* noeud* knoten* узел узл* 节点 ノード 노드
queue: cola colas fila coda warteschlange* очеред* 队列 キュー 큐 대기열
cache: cache* кэш* кеш* 缓存 キャッシュ 캐시
proxy: proxy* прокси 代理 プロキシ 프록시
firewall: cortafuegos pare-feu брандмауэр* 防火墙 ファイアウォール 방화벽
rule: regla* regra* regle* regol* regel* правил* 规则 ルール 規則 규칙
event: evento* evenement* event* ereignis* событи* 事件 イベント 이벤트
resource: recurso* ressource* risors* ресурс* 资源 リソース 리소스 자원
template: plantilla* modelo* modele* template* vorlage* шаблон* 模板 テンプレート 템플릿
example: ejemplo* exemplo* exemple* esempio esempi beispiel* пример* 例子 示例 例 예 예제
question: pregunta* pergunta* question* domand* frage* вопрос* 问题 質問 질문
structure: estructura* estrutura* structure* struttur* struktur* структур* 结构 構造 구조
tree: arbol* arvore* arbre* alber* baum* дерев* 树 ツリー 트리
root: raiz raices racine* radice wurzel* stammverzeichnis* корен* корн* 根 根目录 ルート 루트
parent: padre* pai parent* genitore eltern* ubergeordnet* родител* 父 親 부모 상위
child: hijo* filho* enfant* figli* kind kinder* дочерн* 子 자식 하위
subdirectory: subdirectori* subcarpet* subdiretori* subpasta* sous-* sottocartell* unterverzeichnis* unterordner* подкаталог* подпапк* 子目录 サブディレクトリ 하위
extension: extension* extensao extensoes estension* erweiterung* расширени* 扩展 扩展名 拡張子 拡張 확장자 확장
space: espaci* espac* espace* spazi* platz* leerzeichen* пробел* пространств* 空间 空格 空白 スペース 공간 공백
free: libre* livre* liber* frei* свободн* 空闲 可用 空き 여유
owner: propietari* proprietari* proprietair* eigentumer* besitzer* владел* 所有者 소유자
mode: modo* mode* modus* режим* 模式 モード 모드
security: seguridad* seguranc* securit* sicurezz* sicherheit* безопасност* 安全 セキュリティ 보안
attack: ataqu* attaqu* attacc* angriff* атак* 攻击 攻撃 공격
vulnerability: vulnerab* schwachstelle* уязвим* 漏洞 脆弱性 취약점
game: juego* jogo* jeu gioco spiel* игр* 游戏 ゲーム 게임
music: musica* musique* musik* музык* 音乐 音楽 음악
play: reproduc* reproduz* jouer* lire riprod* abspiel* воспроизв* 播放 再生 재생
record: grab* grav* enregistr* registra* aufnehm* aufzeichn* записать 录制 録画 録音 녹화 녹음
volume: volum* lautstark* громкост* 音量 卷 ボリューム 볼륨
quality: calidad* qualidade* qualite* qualit* качеств* 质量 品質 画質 품질
resolution: resoluc* resolut* risoluzion* auflosung* разрешени* 分辨率 解像度 해상도
frame: fotograma* quadro* image* fotogramm* кадр* 帧 フレーム 프레임
rotate: rota* gira* gire* tourn* ruot* dreh* поверн* вращ* 旋转 回転 회전
resize: redimension* ridimension* skalier* 调整 リサイズ 크기를
crop cut: recort* cort* coup* tagli* schneid* ausschneid* обрез* выреза* 裁剪 剪切 切り取 切り抜 자르
document: documento* document* dokument* документ* 文档 文件 文書 문서
sheet: hoja* planilha* folha* feuille* foglio tabelle* лист* 表格 シート 시트
font: fuente* fonte* police* carattere schriftart* шрифт* 字体 フォント 글꼴 폰트
map: mapa* carte* mapp* karte* карт* 地图 映射 マップ 地図 지도 맵
weather: clima* meteo* wetter* погод* 天气 天気 날씨
temperature: temperatur* температур* 温度 온도
battery: bateri* batteri* batterie* батаре* 电池 バッテリー 배터리
power: energia alimentacion* alimentac* aliment* strom* питани* 电源 電源 전원
shut down: apaga* deslig* eteind* spegn* herunterfahr* выключ* 关机 シャットダウン 종료
plugin: complement* extension* greffon* plugin* плагин* 插件 プラグイン 플러그인
item element: element* eintrag* элемент* 项目 元素 要素 項目 항목 요소
part: parte* partie* teil* част* 部分 부분 일부
step: paso* passo* etape* passagg* schritt* шаг* 步骤 手順 ステップ 단계
result: resultad* resultat* risultat* ergebnis* результат* 结果 結果 결과
report: informe* relatori* rapport* bericht* отчет* 报告 レポート 報告 보고서
reason why: razon* motivo* raison* ragion* grund* warum почему причин* 原因 为什么 理由 なぜ 이유 왜
decide decision: decid* decis* decisi* entscheid* entschied* реш* 决定 决策 決定 결정
rewrite: reescrib* reescrev* reecri* riscriv* umschreib* перепис* 重写 書き直 書き換え
accidentally mistake: accident* error equivoc* engano accidentellement sbaglio versehentlich* случайн* ошибочн* 不小心 意外 误 間違 誤って うっかり 실수 잘못
want: quier* quer* veux voudr* vogli* mochte* will хочу хот* 想 想要 たい 싶
can: pued* pod* peux peut posso puo kann konn* могу можн* 可以 能 できる 수
forget: olvid* esquec* oubli* dimentic* vergess* забы* 忘记 忘れ 잊
discard: descart* rejet* abandonn* scart* verwerf* отброс* 丢弃 破棄 버리
lost recover: perd* recuper* recupera* perdu* recouvr* verlor* потер* восстанов* 丢失 找回 失っ 回復 잃
image layer: capa* camada* couche* strat* schicht* сло* 层 レイヤー 레이어
cloud: nube* nuvem nuvens nuage* cloud* облак* 云 クラウド 클라우드
developer: desarrollador* desenvolvedor* developpeur* sviluppator* entwickler* разработчик* 开发者 開発者 개발자
development: desarroll* desenvolv* developp* svilupp* entwickl* разработ* 开发 開発 개발
software: software* logiciel* программн* 软件 ソフトウェア 소프트웨어
team: equipo* equipe* team* squadra команд* 团队 チーム 팀
company business: empresa* entreprise* aziend* unternehmen* firma компани* 公司 企业 企業 会社 회사 기업
customer: cliente* client* kund* клиент* 客户 顧客 고객
infrastructure: infraestructur* infraestrutur* infrastru* инфраструктур* 基础设施 インフラ 인프라
traffic: trafic* trafego* traffic* verkehr* трафик* 流量 トラフィック 트래픽
scale: escal* echell* scalar* skalier* масштаб* 扩展 スケール 확장
availability: disponibilidad* disponibilidade* disponibilite* disponibilita verfugbarkeit* доступност* 可用性 가용성
complex: complej* complex* compless* komplex* сложн* 复杂 複雑 복잡
manual: manual* manuel* hand* вручную ручн* 手动 手動 수동
automatic: automatic* automatiqu* automatisch* автоматич* 自动 自動 자동
tool: herramient* ferrament* outil* strument* werkzeug* инструмент* 工具 ツール 도구
interface: interfaz* interface* interfacc* schnittstell* интерфейс* 接口 界面 インターフェース 인터페이스
format style: estil* style* stil* стил* 样式 风格 スタイル 스타일
property attribute: propiedad* propriedade* propriet* attribut* atribut* eigenschaft* свойств* атрибут* 属性 プロパティ 속성
module export: export* экспорт* 导出 エクスポート 내보내
import: import* импорт* 导入 インポート 가져오기
stream: flujo* flux* fluss* strom* поток* 流 ストリーム 스트림
thread: hilo* thread* fil filo поток* 线程 スレッド 스레드
lock: bloque* verrou* sperr* blocc* блокиров* 锁 ロック 잠금
unlock: desbloque* deverrouill* sblocc* entsperr* разблок* 解锁 ロック解除 잠금해제
timeout: caduc* expir* ablauf* timeout таймаут* 超时 タイムアウト 시간초과
retry: reintent* tentar reessay* riprov* wiederhol* повтор* 重试 再試行 リトライ 재시도
repeat: repet* repit* ripet* wiederhol* повтор* 重复 繰り返 반복
invoice bill: factur* fatur* fattur* rechnung* счет* 发票 账单 請求書 청구서
payment pay: pago* pagar pagament* paiement* pay* zahlung* bezahl* оплат* платеж* 付款 支付 支払 결제
order: pedido* commande* ordin* bestell* заказ* 订单 注文 주문
receipt: recib* recus ricevut* quittung* чек квитанц* 收据 領収書 영수증
price cost: preci* prec* prix cout* prezz* preis* kosten* цен* стоим* 价格 成本 価格 コスト 가격 비용
money: dinero* dinheiro* argent soldi geld* деньг* 钱 お金 돈
water: agua* eau acqua wasser* вод* 水 물
sensor meter: contador* sensor* capteur* compteur* zahler* датчик* 传感器 センサー 센서
board dashboard: tablero* panel* painel tableau cruscotto панел* 面板 仪表板 ダッシュボード 대시보드
alert alarm: alert* alarm* оповещ* 警报 告警 アラート 알림 경보
notify notification: notific* benachrichtig* уведомл* 通知 알림
review: revis* relectur* revu* recension* uberpruf* ревью 审查 评审 レビュー 리뷰 검토
release: lanzam* lancam* publica* rilasc* veroffentlich* релиз* выпус* 发布 リリース 릴리스
publish: public* publiqu* pubblic* veroffentlich* опублик* 发布 公開 게시
environment staging: preproduccion* staging* 预发布 ステージング 스테이징
rate: tasa* taxa* taux tariff* rate* частот* 速率 率 비율
environment variable: 环境变量 環境変数 환경변수
sleep: dorm* dormir* schlaf* спать 睡眠 休眠 スリープ 잠자기
between: entre tra zwischen между 之间 間 사이
from: desde depuis von из от 从 から 에서
inside in: dentro dans в 中 内 안
before: antes avant prima bevor vor перед до 之前 前に 전에
after: despues depois apres dopo nach после 之后 後 후에
where: donde onde ou dove wo где 哪里 どこ 어디
how: como comment come wie как 如何 怎么 どう どのように 어떻게
what: que qual quel cosa was что 什么 何 무엇
when: cuando quando quand wann когда 何时 いつ 언제
never: nunca jamais mai nie niemals никогда 从不 決して 절대
always: siempre sempre toujours immer всегда 总是 常に 항상
place location: lugar* ubicac* localizac* emplacement* posizion* standort* ort мест* 位置 场所 場所 위치 장소
clean: limpi* limpa* limpe* nettoy* pulisc* pulire bereinig* aufraum* очист* 清理 清空 クリーン 정리
machine: maquin* macchin* maschine* машин* 机器 マシン 머신
calculate: calcul* calcol* berechn* вычисл* 计算 計算 계산
synchronize sync: sincron* synchron* синхрон* 同步 同期 동기화
flag: bander* sinalizador* drapeau* флаг* 标志 フラグ 플래그
disconnect: desconec* deconnec* disconnet* scolleg* trenn* отключить 断开 切断
credentials: credencia* credenzia* identifiants zugangsdaten учетные 凭据 凭证 資格情報 자격
authentication authenticate: autentic* autenticac* authentifi* authentisier* аутентиф* 认证 身份验证 認証 인증
routing route: enrut* rotead* roteam* routage* instrad* маршрут* 路由 ルート 라우팅
privilege: privileg* privilegi* привилег* 特权 特権
stack: pila pilha* pile stapel* стек* 栈 堆栈 スタック 스택
component: component* componente* composant* komponent* компонент* 组件 コンポーネント 컴포넌트
point: punto* ponto* punkt* точк* 点 ポイント 지점
select choose: seleccion* selecion* selection* choisi* scegli* selezion* auswahl* wahle* выбор* выбер* выбра* 选择 選択 선택
architecture: arquitect* arquitet* architettur* architektur* архитектур* 架构 アーキテクチャ 아키텍처
profile: perfil* profil* profilo профил* 配置文件 プロファイル 프로필
manage: administr* gestion* gerenci* gerer gere gesti* verwalt* управл* 管理 관리
grant: conced* otorg* accord* gewahr* предостав* 授予 付与 부여
hash: 哈希 ハッシュ 해시 хеш* хэш*
register: registr* зарегистр* 注册 登録 등록
subscribe subscription: suscri* assinat* abonn* abbon* подпис* 订阅 購読 구독
transfer transmission: transfer* transmis* trasfer* ubertrag* перед* 传输 转移 転送 전송
reverse invert: invert* inver* inverti* umgekehrt* обратн* 反转 反向 逆 반전
expose: expon* expos* espon* freigeb* 公开 暴露
share: compart* partag* condivi* teilen freigegeben общ* 共享 分享 共有 공유
virtual: virtual* virtuel* virtuell* виртуальн* 虚拟 仮想 가상
enter: entrar entr* entra betret* войт* 进入 入る 들어가
exit: salir sair* sorti* quitt* uscire verlass* выйти выход* 退出 終了する 나가
call: llam* chama* appel* chiam* aufruf* вызов* вызва* 调用 呼び出 호출
follow: segui* sigue suivre folg* следов* 跟随 フォロー 따르
simulate dry: simul* simulier* симул* 模拟 シミュレート 시뮬레이션
statistic: estadistic* estatistic* statisti* статисти* 统计信息 統計 통계
summary: resum* riassunt* riepilog* zusammenfass* сводк* 摘要 概要 要約 요약
feature: caracteristic* funcionalid* fonctionnal* funzionalit* merkmal* возможност* 特性 特徴
instance: instanci* istanz* instanz* экземпляр* 实例 インスタンス 인스턴스
balance: balance* equilibr* bilanc* lastverteil* балансир* 负载均衡 負荷分散 로드밸런싱
endpoint: punto entrada extremo 端点 エンドポイント 엔드포인트
contract: contrat* vertrag* договор* 合同 契約 계약
sandbox: caja arenero песочниц* 沙盒 サンドボックス 샌드박스
trigger: dispar* declench* scaten* auslos* триггер* 触发 トリガー 트리거
upgrade: mejor* ameliorer aufrust* 升级 アップグレード 업그레이드
downgrade: degrad* 降级 ダウングレード
section: seccion* secao secoes section* sezion* abschnitt* раздел* 部分 章节 セクション 섹션
policy: politic* politiqu* richtlini* политик* 策略 ポリシー 정책
deadline: plazo* prazo* delai* scadenz* frist* срок* 截止 締め切り 마감
meeting: reunion* reuniao reunioes riunion* besprech* встреч* 会议 会議 회의
agent: agente* agent* агент* 代理 エージェント 에이전트
mistake typo: errata* 拼写 タイプミス 오타
stuck hang: cuelga* colg* trav* bloqu* hang* завис* 卡住 ハング 멈춤
crash: crash* plant* absturz* abgesturzt упал* 崩溃 クラッシュ 충돌
broken: rot* quebrad* cass* rott* kaputt* сломан* 坏 损坏 壊れ 깨진
delay latency: retras* demor* atras* retard* ritard* verzoger* задержк* 延迟 遅延 지연
ticket: ticket* tiquet* billete тикет* 工单 チケット 티켓
team member partner: companer* colega* collegu* kolleg* коллег* 同事 同僚 동료
night: noche* noite* nuit* notte nacht* ночь ночи 夜 밤
today: hoy hoje aujourd oggi heute сегодня 今天 今日 오늘
tomorrow: manana amanha demain domani morgen завтра 明天 明日 내일
yesterday: ayer ontem hier ieri gestern вчера 昨天 昨日 어제
holiday vacation: vacacion* feria* vacanc* vacanz* urlaub* отпуск* 假期 休暇 휴가
title: titul* titre* titol* titel* заголов* 标题 タイトル 제목
chart graph: grafic* graphiqu* diagramm* график* 图表 グラフ 차트 그래프
unit: unidad* unidade* unite* einheit* единиц* 单元 単位 단위
header: encabezad* cabecer* cabecalh* entete* intestazion* kopf* заголов* 头部 ヘッダ 헤더
body: cuerpo* corpo* corps* korper* тел* 正文 本文 본문
bit byte: byte* octet* байт* 字节 バイト 바이트
decimal: decimal* dezimal* десятичн* 小数 十进制 小数点 소수
round: redonde* arrond* arredond* arrotond* rund* округл* 四舍五入 丸め 반올림
sum total: suma* soma* somm* summ* сумм* итог* 总和 合計 합계
average: promedi* medi* moyen* durchschnitt* средн* 平均 평균
percent: porcentaj* porcentagem pourcentag* percentual* prozent* процент* 百分比 パーセント 퍼센트
person people: persona* pessoa* personn* leute* люд* 人 사람
school: escuel* escola* ecole* scuol* schul* школ* 学校 학교
city: ciudad* cidade* ville* citta stadt* город* 城市 都市 도시
country: pais* pays paes* land lander* стран* 国家 国 나라
world: mund* monde* welt* мир* 世界 세계
war: guerra* guerre* krieg* войн* 战争 戦争 전쟁
government: gobiern* governo* gouvernement* regierung* правительств* 政府 정부
law: ley leyes lei leis loi* legg* gesetz* закон* 法律 법
century: siglo* secul* siecle* secol* jahrhundert* век* 世纪 世紀 세기
`;
